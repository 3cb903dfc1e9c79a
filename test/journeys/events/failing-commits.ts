import type { Orm } from '../../../src/persistence/orm.ts'

/** Has commits fail that a change has done all its work for. */
export function createFailingCommits(orm: Orm) {
  const execute = <Rows>(sql: string): Promise<Rows> => orm.em.fork().execute(sql) as Promise<Rows>
  return {
    /** Makes the next commit fail that would write an event about something of this name. */
    async failNext(marker: string): Promise<void> {
      // Deferred: everything is written, and what fails is the commit itself. A sequence remembers what is rolled back.
      await execute(`
        create sequence if not exists failed_commits;
        create or replace function fail_first_commit() returns trigger language plpgsql as $$
        begin
          if new.data::text like '%${marker}%' and nextval('failed_commits') = 1 then
            raise exception 'This commit is to fail.';
          end if;
          return null;
        end $$;
        drop trigger if exists fail_first_commit on event;
        create constraint trigger fail_first_commit after insert on event deferrable initially deferred
          for each row execute function fail_first_commit();
        select setval('failed_commits', 1, false);`)
    },
    /** How many such events were to be committed: more than one after the first has failed and was made again. */
    async seen(): Promise<number> {
      const [row] = await execute<{ last_value: string }[]>('select last_value from failed_commits')
      return Number(row?.last_value)
    },
  }
}
