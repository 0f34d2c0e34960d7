CREATE TABLE tables ( key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, created REAL NOT NULL, ruleset TEXT NOT NULL ) STRICT
CREATE TABLE sqlite_sequence(name,seq)
CREATE TABLE entries ( table_key INTEGER NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, who TEXT NOT NULL, name TEXT NOT NULL, command TEXT NOT NULL, events TEXT NOT NULL, request TEXT, about TEXT NOT NULL, secret INTEGER NOT NULL, kind INTEGER NOT NULL, PRIMARY KEY (table_key, number) ) STRICT, WITHOUT ROWID
CREATE UNIQUE INDEX requests ON entries (table_key, request) WHERE request IS NOT NULL
CREATE INDEX takings_back ON entries (table_key, number) WHERE kind = 1
CREATE TABLE links ( id TEXT NOT NULL UNIQUE, table_key INTEGER NOT NULL, role TEXT NOT NULL, name TEXT NOT NULL, token_hash BLOB NOT NULL UNIQUE, created REAL NOT NULL, code_hash BLOB UNIQUE, revoked REAL ) STRICT
CREATE INDEX links_of_a_table ON links (table_key)
