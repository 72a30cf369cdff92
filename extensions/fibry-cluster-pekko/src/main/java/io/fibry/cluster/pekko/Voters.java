package io.fibry.cluster.pekko;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;

/**
 * The members that decide, in the order of their addresses, and what a majority of them is. The same as in Pekko's strategy
 * <i>keep majority</i>: more than half of the members, or half of them with the one that has the lowest address. Two majorities always
 * have a member in common.
 */
record Voters(List<Member> members) {

    static final Voters NONE = new Voters(List.of());

    static Voters of(Iterable<Member> members) {
        List<Member> voters = new ArrayList<>();
        for (Member member : members) {
            if (votes(member)) {
                voters.add(member);
            }
        }
        voters.sort(Member.ordering());
        return new Voters(List.copyOf(voters));
    }

    private static boolean votes(Member member) {
        return member.status() == MemberStatus.up() || member.status() == MemberStatus.leaving();
    }

    boolean isMajority(Predicate<Member> among) {
        long count = members.stream().filter(among).count();
        int all = members.size();
        return 2 * count > all || (all > 0 && 2 * count == all && among.test(members.getFirst()));
    }

    boolean isMajority(Collection<Member> among) {
        return isMajority(among::contains);
    }
}
