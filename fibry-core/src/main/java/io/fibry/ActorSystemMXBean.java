package io.fibry;

/**
 * What a system shows by JMX, if {@link SystemOptions#jmx} says so. The object's name is
 * {@code io.fibry:type=ActorSystem,name=".."}, with the name of the system; if another system has the same name, also a number.
 *
 * <p>Each attribute that counts actors takes a new look at all of them.
 */
public interface ActorSystemMXBean {

    /** The name of the system. */
    String getName();

    /** How many actors are known. */
    long getActors();

    /** How many messages wait in the mailboxes of the known actors. */
    long getMailboxSizes();

    /** How many messages were handled. */
    long getHandled();

    /** How many messages became dead letters. */
    long getDeadLetters();

    /** How many seconds the message has been at work that has been for longest. */
    double getLongestAtWorkSeconds();

    /** The dump as a text for people: {@link SystemDump#toString}. */
    String dump();

    /** The dump as JSON: {@link SystemDump#toJson}. */
    String dumpJson();

    /** The actors whose message has been at work for longer than this, with their stacks: {@link ActorSystem#stuck}. */
    String[] stuck(long seconds);
}
