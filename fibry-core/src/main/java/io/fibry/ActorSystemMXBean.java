package io.fibry;

/**
 * The management interface of a system, registered if {@link SystemOptions#jmx} is set. The object name is
 * {@code io.fibry:type=ActorSystem,name=".."}, with the name of the system, and a number if another system has the same
 * name.
 *
 * <p>Each attribute that counts actors visits all of them on each read.
 */
public interface ActorSystemMXBean {

    /** Returns the name of the system. */
    String getName();

    /** Returns the number of known actors. */
    long getActors();

    /** Returns the number of messages that wait in the mailboxes of the known actors. */
    long getMailboxSizes();

    /** Returns the number of messages handled, of all sources in {@link HandledMessages}. */
    long getHandled();

    /** Returns the number of messages that became dead letters. */
    long getDeadLetters();

    /** Returns the age in seconds of the longest-running handler. */
    double getLongestRunningSeconds();

    /** Returns the dump as readable text: {@link SystemDump#toString}. */
    String dump();

    /** Returns the dump as JSON: {@link SystemDump#toJson}. */
    String dumpJson();

    /**
     * Returns the actors that have been handling one message for longer than this number of seconds, with their stacks:
     * {@link ActorSystem#stuck}.
     */
    String[] stuck(long seconds);
}
