package io.fibry.bench.hunt;

/** A fault that a test plants into the programs, so that it sees that the hunt finds it. */
@FunctionalInterface
interface Plant {

    Plant NONE = (world, handle, message) -> false;

    /** Whether the message is lost on its way, although its sender believes that it was accepted. */
    boolean loses(World world, Handle handle, Message message);
}
