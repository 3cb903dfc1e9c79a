-- Apart from "enabled", which is the merchant's own word: neither may undo the other.
-- While it is set, no new authorization goes there; what is there goes on.
alter table gateway_configuration add column draining_since timestamptz;
