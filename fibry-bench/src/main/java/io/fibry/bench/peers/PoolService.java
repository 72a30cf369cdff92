package io.fibry.bench.peers;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.AbortPolicy;
import java.util.concurrent.TimeUnit;

/** A pool with a thread for each permit and a bounded queue, which refuses excess requests. */
final class PoolService implements Service {

    private final Resource resource;
    private final Client client;
    private final ThreadPoolExecutor pool;

    PoolService(Resource resource, int room, Client client) {
        this.resource = resource;
        this.client = client;
        int threads = resource.permits();
        pool = new ThreadPoolExecutor(
                threads, threads, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(room), new AbortPolicy());
    }

    @Override
    public void submit(Object request) {
        try {
            pool.execute(() -> {
                resource.useWithPermit();
                client.answered(request);
            });
        } catch (RejectedExecutionException e) {
            client.refused(request);
        }
    }

    @Override
    public boolean isBounded() {
        return true;
    }

    @Override
    public void close() {
        pool.close();
    }
}
