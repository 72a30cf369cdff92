package io.fibry.cluster.pekko;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;

/**
 * The members that vote, and the definition of a majority. It equals Pekko's strategy <i>keep majority</i>: more than
 * half of the members, or half of them including the member with the lowest address. Two majorities always have a
 * member in common.
 *
 * <p>Full members vote. While a member joins or leaves, nodes may disagree on whether it votes. A majority is therefore
 * required under each of these definitions.
 *
 * @param members the full members
 * @param andJoining the full members and the joining members
 * @param staying the full members that are not leaving
 */
record Quorum(List<Member> members, List<Member> andJoining, List<Member> staying) {

    private static final Set<MemberStatus> STAYING = Set.of(MemberStatus.up());
    private static final Set<MemberStatus> FULL = Set.of(MemberStatus.up(), MemberStatus.leaving());
    private static final Set<MemberStatus> WITH_JOINING =
            Set.of(MemberStatus.up(), MemberStatus.leaving(), MemberStatus.joining());

    static Quorum of(Iterable<Member> members) {
        return new Quorum(select(members, FULL), select(members, WITH_JOINING), select(members, STAYING));
    }

    /** Returns the members with one of these statuses, sorted by address. */
    private static List<Member> select(Iterable<Member> members, Set<MemberStatus> statuses) {
        List<Member> matching = new ArrayList<>();
        for (Member member : members) {
            if (statuses.contains(member.status())) {
                matching.add(member);
            }
        }
        matching.sort(Member.ordering());
        return List.copyOf(matching);
    }

    boolean isMajority(Predicate<Member> among) {
        return isMajority(members, among)
                && isMajority(andJoining, among)
                && (staying.isEmpty() || isMajority(staying, among)); // if all members leave, there is no successor
    }

    private static boolean isMajority(List<Member> of, Predicate<Member> among) {
        long count = of.stream().filter(among).count();
        int all = of.size();
        return 2 * count > all || (all > 0 && 2 * count == all && among.test(of.getFirst()));
    }

    boolean isMajority(Collection<Member> among) {
        return isMajority(among::contains);
    }
}
