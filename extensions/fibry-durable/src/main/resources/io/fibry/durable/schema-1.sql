-- The tables of fibry-durable, for PostgreSQL and H2. Each statement may be repeated.

-- Each entity: the number of its changes and of its events, and its last stored state.
CREATE TABLE IF NOT EXISTS fibry_entity (
    type VARCHAR(100) NOT NULL,
    id VARCHAR(500) NOT NULL,
    revision BIGINT NOT NULL,
    version BIGINT NOT NULL,
    state BYTEA,
    state_version BIGINT NOT NULL,
    PRIMARY KEY (type, id)
);

-- Events. The positions of a slice become visible in ascending order.
CREATE TABLE IF NOT EXISTS fibry_event (
    type VARCHAR(100) NOT NULL,
    slice INTEGER NOT NULL,
    position BIGINT NOT NULL,
    id VARCHAR(500) NOT NULL,
    version BIGINT NOT NULL,
    time TIMESTAMP WITH TIME ZONE NOT NULL,
    event BYTEA NOT NULL,
    PRIMARY KEY (type, slice, position),
    UNIQUE (type, id, version)
);

-- Messages that wait for an entity, among them reminders. A message with a topic is published by the entity. The times are
-- milliseconds since 1970: due is 0 for a message that is not a reminder, and attempt_at is the next attempt to deliver.
CREATE TABLE IF NOT EXISTS fibry_message (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    type VARCHAR(100) NOT NULL,
    id VARCHAR(500) NOT NULL,
    sender VARCHAR(601),
    topic VARCHAR(100),
    reminder VARCHAR(100),
    due BIGINT NOT NULL,
    attempt_at BIGINT NOT NULL,
    attempts INTEGER NOT NULL,
    message BYTEA NOT NULL,
    UNIQUE (type, id, reminder)
);

-- The order in which an entity handles its messages.
CREATE INDEX IF NOT EXISTS fibry_message_due ON fibry_message (type, id, due, number);

CREATE INDEX IF NOT EXISTS fibry_message_attempt ON fibry_message (type, attempt_at);

-- The replies to requests with a key. The time is in milliseconds since 1970.
CREATE TABLE IF NOT EXISTS fibry_reply (
    type VARCHAR(100) NOT NULL,
    id VARCHAR(500) NOT NULL,
    request VARCHAR(100) NOT NULL,
    time BIGINT NOT NULL,
    reply BYTEA,
    PRIMARY KEY (type, id, request)
);

CREATE INDEX IF NOT EXISTS fibry_reply_time ON fibry_reply (type, time);

-- The last position of each slice. A transaction locks the rows of the slices to which it adds events.
CREATE TABLE IF NOT EXISTS fibry_slice (
    slice INTEGER NOT NULL PRIMARY KEY,
    position BIGINT NOT NULL
);

-- A row that is added later continues after the stored events.
INSERT INTO fibry_slice
SELECT slices.slice, COALESCE((SELECT MAX(position) FROM fibry_event WHERE fibry_event.slice = slices.slice), 0)
FROM (VALUES
    (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11), (12), (13), (14), (15),
    (16), (17), (18), (19), (20), (21), (22), (23), (24), (25), (26), (27), (28), (29), (30), (31)
) AS slices (slice)
WHERE NOT EXISTS (SELECT 1 FROM fibry_slice WHERE fibry_slice.slice = slices.slice);

-- The position of each projection in each slice, and the node that delivers events outside a transaction.
CREATE TABLE IF NOT EXISTS fibry_projection (
    name VARCHAR(100) NOT NULL,
    slice INTEGER NOT NULL,
    type VARCHAR(100) NOT NULL,
    position BIGINT NOT NULL,
    owner VARCHAR(36),
    lease TIMESTAMP WITH TIME ZONE,
    PRIMARY KEY (name, slice)
);

-- The versions of these tables, the last of which is the present one.
CREATE TABLE IF NOT EXISTS fibry_schema (
    version INTEGER NOT NULL PRIMARY KEY
);

INSERT INTO fibry_schema
SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM fibry_schema WHERE version = 1);
