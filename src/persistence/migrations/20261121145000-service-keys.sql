-- By which processes know that their keys are those of this database: for each key what it makes of a fixed text
-- (HMAC-SHA-256 in hexadecimal), from which nobody finds the key. A key of a ring has its id behind the name of the ring.
create table service_key (
  name text primary key,
  proof text not null check (proof ~ '^[0-9a-f]{64}$')
);
