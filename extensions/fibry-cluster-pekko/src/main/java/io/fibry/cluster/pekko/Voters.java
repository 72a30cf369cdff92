package io.fibry.cluster.pekko;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;

/**
 * The members that decide, and what a majority of them is. The same as in Pekko's strategy <i>keep majority</i>: more than half of the
 * members, or half of them with the one that has the lowest address. Two majorities always have a member in common.
 *
 * <p>Full members vote. While a member joins or leaves, others may count it already or not any more. So a majority has to be one in each
 * of these ways to count.
 *
 * @param members the full members
 * @param andJoining also those that join
 * @param staying the full members without those that leave
 */
record Voters(List<Member> members, List<Member> andJoining, List<Member> staying) {

    private static final Set<MemberStatus> STAYING = Set.of(MemberStatus.up());
    private static final Set<MemberStatus> FULL = Set.of(MemberStatus.up(), MemberStatus.leaving());
    private static final Set<MemberStatus> WITH_JOINING =
            Set.of(MemberStatus.up(), MemberStatus.leaving(), MemberStatus.joining());

    static Voters of(Iterable<Member> members) {
        return new Voters(those(members, FULL), those(members, WITH_JOINING), those(members, STAYING));
    }

    /** In the order of their addresses. */
    private static List<Member> those(Iterable<Member> members, Set<MemberStatus> statuses) {
        List<Member> those = new ArrayList<>();
        for (Member member : members) {
            if (statuses.contains(member.status())) {
                those.add(member);
            }
        }
        those.sort(Member.ordering());
        return List.copyOf(those);
    }

    boolean isMajority(Predicate<Member> among) {
        return isMajority(members, among)
                && isMajority(andJoining, among)
                && (staying.isEmpty() || isMajority(staying, among)); // if all leave, nobody takes over
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
