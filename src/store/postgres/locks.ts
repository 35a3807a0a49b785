/** Of the advisory locks: the holder of a run has one with the run's number, who makes the tables the one with 0. */
export const LOCKS = 1_667_329_393;

/** Those of accounts, each with a hash of its name: whoever divides its slots, and whoever begins creates that cost something. */
export const SLOT_LOCKS = LOCKS + 1;
export const SPENDING_LOCKS = LOCKS + 2;

/** The schema of the queue's own tables; another program may use the same queue in this database. */
export const QUEUE_SCHEMA = 'campaign_queue';
