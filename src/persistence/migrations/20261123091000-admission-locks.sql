-- Requests of one key wait for the row of its bucket, and while one of them waits the next are asked for on connections of
-- their own. A row that nobody gives back must not take all of a process: they wait for less than others wait for locks.
alter function take_requests(text, text, integer, integer, bigint) set lock_timeout = '1s';
alter function admit_requests(text, text, boolean, boolean, integer) set lock_timeout = '1s';
