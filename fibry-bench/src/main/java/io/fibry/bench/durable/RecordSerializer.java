package io.fibry.bench.durable;

import io.fibry.bench.durable.Account.Deposited;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** Lets Pekko store the same bytes as the other peers. Pekko creates it by reflection. */
public final class RecordSerializer extends SerializerWithStringManifest {

    private static final String STATE = "s";
    private static final String EVENT = "e";

    @Override
    public int identifier() {
        return 1_000_003;
    }

    @Override
    public String manifest(Object value) {
        return value instanceof Account ? STATE : EVENT;
    }

    @Override
    public byte[] toBinary(Object value) {
        return value instanceof Account account
                ? Account.STATES.encode(account)
                : Account.EVENTS.encode((Deposited) value);
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) {
        return manifest.equals(STATE) ? Account.STATES.decode(bytes) : Account.EVENTS.decode(bytes);
    }
}
