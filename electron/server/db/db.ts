import type Database from 'better-sqlite3';

/** A connection to the station's database. */
export type Db = Database.Database;
