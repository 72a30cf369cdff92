package io.fibry.examples;

import io.fibry.Actor;
import io.fibry.ActorSystem;
import io.fibry.SystemOptions;

/** The program that the commands of the guides start. It ends after a while, with waiting messages. */
final class ShopForAWhile {

    private ShopForAWhile() {}

    public static void main(String[] args) {
        try (var system = ActorSystem.create(SystemOptions.defaults().name("shop"))) {
            Actor<Integer> billing = system.actor("billing").newActor(order -> Thread.sleep(order));
            for (int i = 0; i < 20; i++) {
                billing.tell(5);
            }
            billing.close();
        }
    }
}
