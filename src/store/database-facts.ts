/** What a database says of itself, for `campaign doctor`. */
export interface DatabaseFacts {
  /** Of the server, e.g. `18.1`. */
  readonly server: string;
  /** Of its tables: 0 where there are none; and the one that this campaign needs. */
  readonly version: number;
  readonly needed: number;
  readonly connection: 'encrypted' | 'local' | 'plain';
  readonly role: {
    readonly name: string;
    readonly canMigrate: boolean;
    /** What follows is false where there are no tables. */
    readonly canRead: boolean;
    readonly canWrite: boolean;
    /** Whether it could change or remove what was recorded. */
    readonly canChangeEvents: boolean;
    /** Tables that it may not use as a run of several processes needs it. */
    readonly lacks: readonly string[];
  };
  readonly isStandby: boolean;
  /** Settings of the server that let go of what was acknowledged. */
  readonly unsafe: readonly string[];
  /** Servers that get a copy late; undefined where the role may not see it. */
  readonly lateCopies: number | undefined;
  /** Whether both of two connections are the same session at the server, or a session loses its settings. */
  readonly isPooled: boolean;
  /** Connections that may still be made. */
  readonly freeConnections: number;
  /** This machine's clock minus that of the database. */
  readonly aheadMs: number;
}
