-- What the simulator tells unasked, as an account wants it: several times over, and over HTTP, where the authorization is
-- named.
alter table simulator.notice
  -- Null for what was written before it could be named; that is brought by the courier.
  add column gateway_authorization_id text,
  add column copies integer not null default 1 check (copies between 1 and 2);
