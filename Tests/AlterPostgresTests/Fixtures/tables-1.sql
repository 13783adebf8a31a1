-- Tables of version 1 with two journals, as Alter made them before version 2 (commit ba08eb3), written by pg_dump 15 --inserts.

CREATE SCHEMA alter;

CREATE FUNCTION alter.readable(bytes bytea) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
  RETURN convert_from(bytes, 'UTF8');
EXCEPTION WHEN others THEN
  RETURN encode(bytes, 'escape');
END $$;

CREATE TABLE alter.entry (
    journal bigint NOT NULL,
    revision bigint NOT NULL,
    "time" bigint NOT NULL,
    origin uuid NOT NULL,
    sequence bigint NOT NULL,
    scope bytea NOT NULL,
    schema bigint NOT NULL,
    kind text NOT NULL,
    payload bytea NOT NULL,
    cause bytea,
    checksum bytea NOT NULL
);

CREATE TABLE alter.format (
    version bigint NOT NULL
);

CREATE TABLE alter.journal (
    number bigint NOT NULL,
    key text NOT NULL,
    id uuid NOT NULL,
    head bigint NOT NULL,
    checksum bytea NOT NULL,
    created bigint NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE alter.lease (
    journal bigint NOT NULL,
    name text NOT NULL,
    holder uuid NOT NULL,
    epoch bigint NOT NULL,
    granted bigint NOT NULL,
    expires bigint NOT NULL
)
WITH (fillfactor='50');

CREATE VIEW alter.log AS
 SELECT journal.key AS journal,
    entry.revision,
    to_timestamp((((entry."time")::numeric / 1000000.0))::double precision) AS "time",
    "left"((entry.origin)::text, 8) AS origin,
    entry.sequence,
    entry.kind,
    alter.readable(entry.payload) AS payload
   FROM (alter.entry
     JOIN alter.journal ON ((journal.number = entry.journal)));

CREATE TABLE alter.snapshot (
    journal bigint NOT NULL,
    revision bigint NOT NULL,
    head_checksum bytea NOT NULL,
    base bigint NOT NULL,
    base_checksum bytea NOT NULL,
    schema bigint NOT NULL,
    written bigint NOT NULL,
    checksum bytea NOT NULL,
    payload bytea NOT NULL
);

INSERT INTO alter.entry VALUES (4863192385272865944, 1, 1795626812181474, '059676d0-76b1-40a9-aaa0-93d8a9f1bd71', 1, '\x', 1, 'initial', '\x7b22636f756e7473223a7b7d7d', NULL, '\x36af707d1c184b7d57b90db03eeebf82');
INSERT INTO alter.entry VALUES (4863192385272865944, 2, 1795626812185875, '059676d0-76b1-40a9-aaa0-93d8a9f1bd71', 2, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2261222c225f31223a317d7d5d', NULL, '\xf8251e91a8d5c6143d797588c770c1c2');
INSERT INTO alter.entry VALUES (4863192385272865944, 3, 1795626812190878, '059676d0-76b1-40a9-aaa0-93d8a9f1bd71', 3, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2261222c225f31223a327d7d5d', NULL, '\xf326665b53bb5b2264d888ae219e9a0d');
INSERT INTO alter.entry VALUES (4863192385272865944, 4, 1795626812194818, '059676d0-76b1-40a9-aaa0-93d8a9f1bd71', 4, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2261222c225f31223a337d7d5d', NULL, '\x3f00680005da572b67286e3dd8059e95');
INSERT INTO alter.entry VALUES (4863192385272865944, 5, 1795626812195747, '059676d0-76b1-40a9-aaa0-93d8a9f1bd71', 5, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2261222c225f31223a347d7d5d', NULL, '\x5a963c28a93d4ebd6ed845de621e5ada');
INSERT INTO alter.entry VALUES (4863192385272865944, 6, 1795626812196402, '059676d0-76b1-40a9-aaa0-93d8a9f1bd71', 6, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2261222c225f31223a357d7d5d', NULL, '\x3dd60e62fea3c2689a7be4af5708e86b');
INSERT INTO alter.entry VALUES (4863192385272865944, 7, 1795626812197398, '059676d0-76b1-40a9-aaa0-93d8a9f1bd71', 7, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2261222c225f31223a367d7d5d', NULL, '\x405d6233c330ae9d7abdda679b099343');
INSERT INTO alter.entry VALUES (4863192385272865944, 8, 1795626812243722, '229b6efb-d625-4390-bcde-31491e2c054d', 2, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2262222c225f31223a317d7d5d', NULL, '\x1773442f31ce08a3c26e2070b7160f8c');
INSERT INTO alter.entry VALUES (4863192385272865944, 9, 1795626812249331, '229b6efb-d625-4390-bcde-31491e2c054d', 3, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2262222c225f31223a327d7d5d', NULL, '\x967d2dfd2e3e08a8bfe410f8b9fc073a');
INSERT INTO alter.entry VALUES (4863192385272865944, 10, 1795626812252264, '229b6efb-d625-4390-bcde-31491e2c054d', 4, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2262222c225f31223a337d7d5d', NULL, '\x266d57cedf829d7c64fc471bd146f9b2');
INSERT INTO alter.entry VALUES (4863192385272865944, 11, 1795626812253138, '229b6efb-d625-4390-bcde-31491e2c054d', 5, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2262222c225f31223a347d7d5d', NULL, '\x0211c66bb566a7d63f1b1d2e3832423f');
INSERT INTO alter.entry VALUES (4863192385272865944, 12, 1795626812253828, '229b6efb-d625-4390-bcde-31491e2c054d', 6, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2262222c225f31223a357d7d5d', NULL, '\x25207124a1da4a4ab2385ca50c68edc3');
INSERT INTO alter.entry VALUES (4863192385272865944, 13, 1795626812254657, '229b6efb-d625-4390-bcde-31491e2c054d', 7, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2262222c225f31223a367d7d5d', NULL, '\x61b2ff6fdd14afd63cb43dcb319a10ec');
INSERT INTO alter.entry VALUES (1296887830809568038, 1, 1795626812295062, 'ecdc3a14-e155-49a3-bf8f-b3bd49f4d971', 1, '\x', 1, 'initial', '\x7b22636f756e7473223a7b7d7d', NULL, '\xc721d910f53d0642a2bbcd37799ce388');
INSERT INTO alter.entry VALUES (1296887830809568038, 2, 1795626812299635, 'ecdc3a14-e155-49a3-bf8f-b3bd49f4d971', 2, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2263222c225f31223a317d7d5d', NULL, '\xe00ada3b10d12802247fa636ac9f3ca3');
INSERT INTO alter.entry VALUES (1296887830809568038, 3, 1795626812301173, 'ecdc3a14-e155-49a3-bf8f-b3bd49f4d971', 3, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2263222c225f31223a327d7d5d', NULL, '\x1becc0ee67d1b39bae4985f3be1850ba');
INSERT INTO alter.entry VALUES (1296887830809568038, 4, 1795626812304255, 'ecdc3a14-e155-49a3-bf8f-b3bd49f4d971', 4, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2263222c225f31223a337d7d5d', NULL, '\xbb3dab8769f350e36c069b39ec5d8335');
INSERT INTO alter.entry VALUES (1296887830809568038, 5, 1795626812305936, 'ecdc3a14-e155-49a3-bf8f-b3bd49f4d971', 5, '\x', 1, 'changes', '\x5b7b22636f756e74223a7b225f30223a2263222c225f31223a347d7d5d', NULL, '\xb8b09d185de139551c4fe3b7339bbc4e');

INSERT INTO alter.format VALUES (1);

INSERT INTO alter.journal VALUES (4863192385272865944, 'orders', 'dceed2e1-f207-4c22-9367-cd59d61a6d64', 13, '\x61b2ff6fdd14afd63cb43dcb319a10ec', 1795626812179745);
INSERT INTO alter.journal VALUES (1296887830809568038, 'other key', '34a73fde-db31-4614-8cee-fd9e7e837eaf', 5, '\xb8b09d185de139551c4fe3b7339bbc4e', 1795626812293143);

INSERT INTO alter.lease VALUES (4863192385272865944, 'sync', '00000000-0000-4000-8000-000000000009', 3, 1700000000000000, 1700000000000001);

ALTER TABLE ONLY alter.entry
    ADD CONSTRAINT entry_journal_origin_sequence_key UNIQUE (journal, origin, sequence);

ALTER TABLE ONLY alter.entry
    ADD CONSTRAINT entry_pkey PRIMARY KEY (journal, revision);

ALTER TABLE ONLY alter.journal
    ADD CONSTRAINT journal_pkey PRIMARY KEY (number);

ALTER TABLE ONLY alter.lease
    ADD CONSTRAINT lease_pkey PRIMARY KEY (journal, name);

ALTER TABLE ONLY alter.snapshot
    ADD CONSTRAINT snapshot_pkey PRIMARY KEY (journal, revision);

