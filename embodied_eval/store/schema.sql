-- embodied-eval store, schema 2. Derived from the spools: `embodied-eval db rebuild` makes it again.
-- Every length of time is in seconds: *_wall_s / wall_s is the wall clock, sim_s / t_s simulated time.
-- Every TIMESTAMP is UTC. Poses: metres and degrees, z up, yaw counter-clockwise from above.
-- There are no primary keys: the collector replaces an episode's rows as a whole, under store.lock.

CREATE TABLE meta (
    schema_version BIGINT NOT NULL
);

CREATE TABLE runs (
    run_id VARCHAR NOT NULL,
    benchmark VARCHAR,
    benchmark_version BIGINT,
    model VARCHAR,
    privileged BOOLEAN,
    judge VARCHAR,
    driver VARCHAR,
    renderer VARCHAR,
    created_at TIMESTAMP,
    versions JSON,
    config JSON,
    conditions JSON,
    planned BIGINT
);

CREATE TABLE tasks (
    run_id VARCHAR NOT NULL,
    task_id VARCHAR NOT NULL,
    engine VARCHAR,
    scene VARCHAR,
    world VARCHAR,
    tags JSON,
    sha256 VARCHAR,
    public JSON
);

CREATE TABLE tasks_private (
    run_id VARCHAR NOT NULL,
    task_id VARCHAR NOT NULL,
    private JSON
);

-- One row a planned episode; status and all behind it are NULL until an attempt is complete.
CREATE TABLE episodes (
    run_id VARCHAR NOT NULL,
    episode_key VARCHAR NOT NULL,
    benchmark VARCHAR,
    model VARCHAR,
    privileged BOOLEAN,
    task_id VARCHAR,
    condition VARCHAR,
    repeat BIGINT,
    seed BIGINT,
    key_fields JSON,
    attempt BIGINT,
    status VARCHAR,
    counted BOOLEAN,
    reason VARCHAR,
    answer JSON,
    error_kind VARCHAR,
    error VARCHAR,
    steps BIGINT,
    calls BIGINT,
    tokens_in BIGINT,
    tokens_out BIGINT,
    cost_usd DOUBLE,
    wall_s DOUBLE,
    sim_s DOUBLE,
    finished_at TIMESTAMP
);

-- Every attempt at an episode, also those that failed (they cost money too). Those without receipt are not
-- complete; one complete attempt of an episode is chosen: the first that counts, else the latest.
CREATE TABLE attempts (
    run_id VARCHAR NOT NULL,
    episode_key VARCHAR NOT NULL,
    attempt BIGINT NOT NULL,
    complete BOOLEAN NOT NULL,
    chosen BOOLEAN NOT NULL,
    status VARCHAR,
    error_kind VARCHAR,
    error VARCHAR,
    tokens_in BIGINT,
    tokens_out BIGINT,
    cost_usd DOUBLE,
    wall_s DOUBLE,
    finished_at TIMESTAMP
);

CREATE TABLE steps (
    run_id VARCHAR NOT NULL,
    episode_key VARCHAR NOT NULL,
    step BIGINT NOT NULL,
    action VARCHAR,
    arguments JSON,
    result VARCHAR,
    t_s DOUBLE,
    x DOUBLE,
    y DOUBLE,
    z DOUBLE,
    yaw_deg DOUBLE,
    pitch_deg DOUBLE,
    moved_m DOUBLE,
    blocked BOOLEAN,
    counts BOOLEAN,
    frames BIGINT
);

CREATE TABLE calls (
    run_id VARCHAR NOT NULL,
    episode_key VARCHAR NOT NULL,
    call BIGINT NOT NULL,
    role VARCHAR,
    model VARCHAR,
    known_messages BIGINT,
    messages JSON,
    reply JSON,
    tokens_in BIGINT,
    tokens_out BIGINT,
    cost_usd DOUBLE,
    tries BIGINT,
    wall_s DOUBLE,
    finish VARCHAR,
    cached BOOLEAN,
    error VARCHAR,
    error_kind VARCHAR
);

-- `step` is NULL for a frame that belongs to no step. The bytes are frames/<first two digits>/<sha256>.*
CREATE TABLE frames (
    run_id VARCHAR NOT NULL,
    episode_key VARCHAR NOT NULL,
    step BIGINT,
    ref VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    media_type VARCHAR,
    width BIGINT,
    height BIGINT,
    bytes BIGINT,
    t_s DOUBLE,
    x DOUBLE,
    y DOUBLE,
    z DOUBLE,
    yaw_deg DOUBLE,
    pitch_deg DOUBLE
);

-- Private. Boxes are [x0, y0, x1, y1] in pixels.
CREATE TABLE visibility (
    run_id VARCHAR NOT NULL,
    episode_key VARCHAR NOT NULL,
    ref VARCHAR NOT NULL,
    object VARCHAR NOT NULL,
    pixels BIGINT,
    unoccluded BIGINT,
    box JSON,
    twin_pixels BIGINT,
    twin_unoccluded BIGINT,
    twin_box JSON,
    image_pixels BIGINT
);

CREATE TABLE events (
    run_id VARCHAR NOT NULL,
    episode_key VARCHAR NOT NULL,
    event BIGINT NOT NULL,
    step BIGINT,
    t_s DOUBLE,
    kind VARCHAR,
    data JSON,
    private BOOLEAN
);

CREATE TABLE verdicts (
    run_id VARCHAR NOT NULL,
    episode_key VARCHAR NOT NULL,
    judge_key VARCHAR NOT NULL,
    item VARCHAR NOT NULL,
    score DOUBLE,
    max DOUBLE,
    passed BOOLEAN,
    reason VARCHAR,
    evidence JSON,
    judge VARCHAR,
    judge_version VARCHAR,
    error VARCHAR
);

-- The model calls that verdicts took, as in `calls`; those of verdicts that were replaced too.
CREATE TABLE judge_calls (
    run_id VARCHAR NOT NULL,
    episode_key VARCHAR NOT NULL,
    judge_key VARCHAR NOT NULL,
    call BIGINT NOT NULL,
    role VARCHAR,
    model VARCHAR,
    known_messages BIGINT,
    messages JSON,
    reply JSON,
    tokens_in BIGINT,
    tokens_out BIGINT,
    cost_usd DOUBLE,
    tries BIGINT,
    wall_s DOUBLE,
    finish VARCHAR,
    cached BOOLEAN,
    error VARCHAR,
    error_kind VARCHAR
);

CREATE TABLE metrics (
    run_id VARCHAR NOT NULL,
    judge_key VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    "group" VARCHAR,
    condition VARCHAR,
    value DOUBLE,
    low DOUBLE,
    high DOUBLE,
    unit VARCHAR,
    n BIGINT,
    denominator BIGINT,
    judge VARCHAR,
    reason VARCHAR
);

-- The benchmarks' own tables in this database, by name, and whether they are private.
CREATE TABLE plugin_tables (
    name VARCHAR NOT NULL,
    private BOOLEAN NOT NULL
);
