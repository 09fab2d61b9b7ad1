"""The tables of the record, as named steps: each is applied once, in order, in a transaction of its own.

A step that has gone out is never changed: there are records that it made.
"""

from __future__ import annotations

STEPS: tuple[tuple[str, str], ...] = (
    (
        "matches, rulings, throws and evidence",
        """
        CREATE TABLE match (
            id INTEGER PRIMARY KEY,
            begun TEXT NOT NULL,
            rules TEXT NOT NULL,
            options TEXT NOT NULL,
            seats TEXT NOT NULL,
            players INTEGER NOT NULL,
            recording TEXT NOT NULL,
            winner TEXT,
            honours TEXT,
            ended_t REAL
        );
        CREATE TABLE ruling (
            id INTEGER PRIMARY KEY,
            match_id INTEGER NOT NULL REFERENCES match (id),
            t REAL NOT NULL,
            kind TEXT NOT NULL,
            reason TEXT,
            side TEXT,
            say TEXT NOT NULL,
            position TEXT NOT NULL,
            to_play TEXT NOT NULL,
            awaiting TEXT NOT NULL
        );
        CREATE INDEX ruling_by_match ON ruling (match_id, t);
        CREATE TABLE throw (
            id INTEGER PRIMARY KEY,
            match_id INTEGER NOT NULL REFERENCES match (id),
            t REAL NOT NULL,
            side TEXT NOT NULL,
            dice TEXT NOT NULL,
            state TEXT NOT NULL,
            source TEXT NOT NULL
        );
        CREATE INDEX throw_by_match ON throw (match_id, t);
        CREATE TABLE evidence (
            ruling_id INTEGER NOT NULL REFERENCES ruling (id),
            what TEXT NOT NULL,
            file TEXT NOT NULL,
            PRIMARY KEY (ruling_id, what)
        );
        """,
    ),
    ("plays that look alike", "ALTER TABLE ruling ADD COLUMN alike TEXT NOT NULL DEFAULT '[]';"),
    (
        "every option and who sat where; dates that may be unknown; calls, and one order for all that "
        "happened; the facts behind rulings; pictures that may be gone",
        """
        CREATE TABLE dated_match (
            id INTEGER PRIMARY KEY,
            rules TEXT NOT NULL,
            options TEXT NOT NULL,
            option_values TEXT NOT NULL DEFAULT '{}',
            title TEXT NOT NULL DEFAULT '',
            seats TEXT NOT NULL,
            players INTEGER NOT NULL,
            names TEXT NOT NULL DEFAULT '{}',
            dice TEXT NOT NULL DEFAULT 'tower',
            to_play TEXT,
            recording TEXT NOT NULL,
            begun TEXT,
            begun_boot TEXT NOT NULL DEFAULT '',
            begun_s REAL,
            ended TEXT,
            ended_boot TEXT NOT NULL DEFAULT '',
            ended_s REAL,
            clock TEXT NOT NULL DEFAULT '',
            winner TEXT,
            honours TEXT,
            ended_t REAL
        );
        INSERT INTO dated_match
            (id, rules, options, seats, players, recording, begun, winner, honours, ended_t)
            SELECT id, rules, options, seats, players, recording, begun, winner, honours, ended_t FROM match;
        DROP TABLE match;
        ALTER TABLE dated_match RENAME TO match;

        ALTER TABLE ruling ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE ruling ADD COLUMN throw TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE ruling ADD COLUMN moves TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE ruling ADD COLUMN facts TEXT NOT NULL DEFAULT '{}';
        ALTER TABLE throw ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE throw ADD COLUMN purpose TEXT NOT NULL DEFAULT '';
        CREATE TABLE call (
            id INTEGER PRIMARY KEY,
            match_id INTEGER NOT NULL REFERENCES match (id),
            place INTEGER NOT NULL,
            t REAL NOT NULL,
            side TEXT NOT NULL,
            kind TEXT NOT NULL,
            colour TEXT,
            steps INTEGER,
            target INTEGER,
            is_double INTEGER NOT NULL
        );

        -- Of what was kept before there was one order, a throw came before the ruling on it.
        CREATE TEMP TABLE in_order AS
            SELECT tab, id, ROW_NUMBER() OVER (PARTITION BY match_id ORDER BY t, tab DESC, id) AS place FROM (
                SELECT 'throw' AS tab, id, match_id, t FROM throw
                UNION ALL SELECT 'ruling', id, match_id, t FROM ruling
            );
        UPDATE throw SET place = (SELECT place FROM in_order WHERE tab = 'throw' AND in_order.id = throw.id);
        UPDATE ruling SET place =
            (SELECT place FROM in_order WHERE tab = 'ruling' AND in_order.id = ruling.id);
        DROP TABLE in_order;
        DROP INDEX ruling_by_match;
        DROP INDEX throw_by_match;
        CREATE UNIQUE INDEX ruling_by_match ON ruling (match_id, place);
        CREATE UNIQUE INDEX throw_by_match ON throw (match_id, place);
        CREATE UNIQUE INDEX call_by_match ON call (match_id, place);

        CREATE TABLE picture (
            id INTEGER PRIMARY KEY,
            ruling_id INTEGER NOT NULL REFERENCES ruling (id),
            what TEXT NOT NULL,
            t REAL,
            file TEXT,
            bytes INTEGER NOT NULL DEFAULT 0,
            removed TEXT NOT NULL DEFAULT ''
        );
        INSERT INTO picture (ruling_id, what, file) SELECT ruling_id, what, file FROM evidence ORDER BY rowid;
        DROP TABLE evidence;
        CREATE INDEX picture_by_ruling ON picture (ruling_id);
        """,
    ),
    (
        "which record this is, so that a backup is never mistaken for another table's",
        """
        CREATE TABLE record (identity TEXT NOT NULL);
        INSERT INTO record (identity) VALUES (lower(hex(randomblob(16))));
        """,
    ),
    (
        "pictures by their files, as they are removed",
        "CREATE INDEX picture_by_file ON picture (file) WHERE file IS NOT NULL;",
    ),
    (
        "which match this is, so that one is never taken in twice",
        """
        ALTER TABLE match ADD COLUMN identity TEXT NOT NULL DEFAULT '';
        CREATE INDEX match_by_identity ON match (identity) WHERE identity != '';
        """,
    ),
    (
        "what was counted of each match, and of what: it can be counted again at any time",
        """
        CREATE TABLE counted (
            match_id INTEGER PRIMARY KEY REFERENCES match (id) ON DELETE CASCADE,
            mark TEXT NOT NULL,
            counts TEXT NOT NULL
        );
        """,
    ),
)
