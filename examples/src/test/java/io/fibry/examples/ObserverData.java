package io.fibry.examples;

/** The data of the live page in the tests of its layout: the widest numbers. */
final class ObserverData {

    private ObserverData() {}

    /** A snapshot with the widest numbers; each list has an actor that has been handling one message for too long. */
    static final String OVERVIEW = """
        const actor = i => ({id: "a" + i, name: "actor-with-a-long-name-" + i, behavior: "lambda in shop.Orders",
            state: i % 2 ? "RUNNING" : "WAITS_FOR_PAUSE", waitsFor: null, message: "java.lang.String",
            slow: i === 1, mailboxSize: 999999, failures: 3, restarts: 100006, children: 99999, rate: 100006.7,
            runningFor: 86399, handled: 999999});
        const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(actor);
        const tree = ten.map(each => ({...each, nodes: [20, 21, 22].map(actor).map(n => ({...n, nodes: []}))}));
        overview({
            system: "shop", time: "2026-11-27T08:00:00Z", tracked: false, complete: false, costMillis: 123,
            totals: {actors: 999999, idle: 999999, ready: 100006, running: 100006, waiting: 100006, paused: 100006,
                stopping: 100006, mailboxSizes: 999999, failures: 100006, restarts: 100006, workers: 100006,
                workersStarted: 999999},
            counters: {handled: 999999, handledBySource: {sent: 999999, timers: 100006, piped: 100006, internal: 0},
                refused: 100006, dropped: 100006, dead: 100006},
            rates: {handled: 999999, lost: 100006, failures: 100006},
            handledHistory: [1, 5, 3], waitingHistory: [1, 2, 3],
            busiest: ten, longest: ten, fullest: ten, restarted: ten, servers: ten.slice(0, 2),
            cycles: [{names: ["stock", "supplier"]}],
            metrics: [{server: "web", name: "http.requests", tags: "", kind: "COUNTER", unit: "", value: 999999}],
            tree, moreRoots: 99988});
        for (let i = 0; i < 20; i++) incident({entry: i, time: "2026-11-27T08:00:00Z",
            kind: i % 2 ? "FAILURE" : "DEAD_LETTER", actorId: "a1", actor: "actor-" + i,
            message: "java.lang.String", what: "java.lang.IllegalStateException",
            text: "order 100,006 has no address", stack: [], count: 100006});
        """;

    static final String LIST = """
        const actor = (state, i) => ({id: "a" + i, name: "actor-with-a-long-name-" + i, behavior: "shop.Orders",
            state, waitsFor: null, message: "java.lang.String", slow: i === 2, mailbox: 999999, rate: 100006.7,
            handled: 999999, time: 86399, restarts: 100006, stashed: 100006});
        show({system: "shop", all: 1000000, first: 999950, parent: null, start: "1.a", end: "1.b",
            actors: Object.keys(STATES).map(actor)});
        """;

    static final String ACTOR = """
        actor({id: "a1", name: "orders", behavior: "lambda in shop.Orders", state: "WAITS_FOR_PAUSE",
            waitsFor: null, waitsForId: null, message: "java.lang.String", slow: true, mailboxSize: 999999,
            failures: 100006, restarts: 100006, children: 100006, rate: 100006.7, runningFor: 86399,
            handled: 999999, handledBySource: {sent: 999999, timers: 100006, piped: 100006, internal: 0},
            parent: null, parentId: null, strategy: "platform", stopping: null, canStop: true,
            stack: ["java.base/a.b(c)", "d.e(f)"], moreFrames: 0, nodes: []});
        messages({stashed: 100006, skipped: 100006, moreTimers: 100006, unreadTimers: 99026,
            timers: Array.from({length: 20}, (none, i) => ({left: [0, 0.25, 59940, 86399000, 3e12][i % 5],
            once: i % 3 === 0, period: [0, 86399000, 3e12][i % 3], receiveTimeout: i % 3 === 2,
            type: "shop.department.a.TimerMessageWithALongNameThatDoesNotFitOnAPhone"})),
            messages: Array.from({length: 200}, (none, i) => ({number: i, end: 1795784674632,
            type: "shop.department.a.MessageWithALongNameThatDoesNotFitOnAPhone" + i,
            sender: "a-sender-with-a-long-name-that-does-not-fit", ask: i % 2 === 0, wait: 86399000,
            handler: 86399000, failed: i % 3 === 0}))});
        for (let i = 0; i < 20; i++) incident({entry: i, time: "2026-11-27T08:00:00Z", kind: "FAILURE",
            actorId: "a1", actor: "orders", message: "java.lang.String", what: "java.lang.IllegalStateException",
            text: "order 100,006 has no address", stack: ["d.e(f)"], count: 100006});
        """;

    /** Two tables; a row of the first is a problem. */
    static final String TABLES = """
        tables({name: "Cluster", problem: null, moreTables: 3, tables: [
            {title: "Nodes", columns: ["Node", "State", "Types", "Shards"], moreRows: 7, rows: [
                {alert: false, cells: ["10.0.0.1:7001 (this node)", "up", "200", "999999"]},
                {alert: true, cells: ["a-node-with-a-long-name.shop.example.org:7001", "unreachable", "3", "31"]}]},
            {title: "Shards that this node hands over", columns: ["Type", "Shard"], moreRows: 0, rows: []}]});
        """;

    /** As many nodes and edges as the server sends; one is blocked, and three form the hottest path. */
    static final String FLOW = """
        const names = Array.from({length: 40}, (none, i) => "shop.department.Actor-with-a-long-name-" + i);
        const edge = (from, to, i) => ({from, to, rate: 999999 / (1 + i), asks: 100006, failures: 3, wait: 86399000,
            handler: 0.5, waiting: i === 7 ? 100006 : i === 9 ? 1 : 0,
            waitingFor: i === 7 ? 86399 : i === 9 ? 0.2 : 0, hot: i < 3});
        flow({system: "shop", oneIn: 1000, nodes: names, otherEdges: 100006, path: names.slice(0, 4),
            edges: Array.from({length: 120}, (none, i) => i < 39 ? edge(Math.floor(i / 3), i + 1, i) : edge(i % 40, i * 7 % 40, i))});
        """;
}
