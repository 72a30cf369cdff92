package io.fibry.bench.hunt;

/** A fault that a test injects into programs to verify that the hunt finds it. */
@FunctionalInterface
interface Plant {

    Plant NONE = (world, handle, message) -> false;

    /** Returns whether the message is lost in transit although it was accepted. */
    boolean loses(World world, Handle handle, Message message);
}
