/** A step of the migrations: a process may carry out only nodes of some kinds. Where none are named, it takes all. */
export const TAKEN_KINDS = 'alter table campaign.part add column kinds text[];';
