/** The tables of a database with states, in a schema of their own. docs/scale.md says what they are for. */
export const TABLES = `
create table campaign.campaign (
  id bigint generated always as identity primary key,
  name text not null,
  environment text not null,
  base_url text not null,
  -- Absent until its first record; the header is the first line of the log, as it would be in a file.
  lineage text unique,
  header text,
  head_seq bigint not null default 0,
  -- Where the log is now: nothing more is written here.
  moved_to text,
  check ((lineage is null) = (header is null))
);
create unique index campaign_to_begin on campaign.campaign (name, environment, base_url) where lineage is null;

-- One line of a log, with number and checksum, as it would be in a file. Nothing is ever changed or removed.
create table campaign.event (
  campaign bigint not null references campaign.campaign,
  seq bigint not null,
  line text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (campaign, seq)
);

-- One process that writes a log, from its start to its end.
create table campaign.run (
  id bigint generated always as identity primary key,
  campaign bigint not null references campaign.campaign,
  run text not null,
  command text not null,
  host text not null,
  pid int not null,
  since timestamptz not null default clock_timestamp(),
  -- When it was last heard of.
  beat timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  ended_how text,
  -- Which server and which database it has written, as far as its role may ask.
  server text,
  database oid,
  timeline bigint,
  -- A run that several processes carry out together has what they need to know of it here, and no process of its own.
  shared json,
  account text,
  stop text[] not null default '{}',
  -- Posts that were requested and are not finished, and how many of them there may be.
  generating int not null default 0,
  media_in_flight int,
  at_once int,
  -- The limits of the manifest: requests a second, and what may be spent. What this run has spent, in posts and millionths.
  per_second float8,
  limits json not null default '[]',
  run_posts int not null default 0,
  run_cost numeric not null default 0,
  -- The limit that has kept a request from being sent: no create is begun any more.
  withheld json,
  -- Whether the processes of a run wait for the posts that they request.
  polls boolean not null default true,
  -- How many posts the create asked for that came last, whether there was room for them: as many as the next one, perhaps.
  asked int not null default 1,
  -- What a run that is not shared has counted last: where the answer was lost, it asks again.
  counted uuid
);
create unique index one_open_run on campaign.run (campaign) where ended_at is null;
create index shared_run on campaign.run (id) where shared is not null and ended_at is null;

-- The nodes of a shared run, as they were planned, and how each has ended. Their jobs are in the queue.
create table campaign.node (
  run bigint not null references campaign.run,
  address text not null,
  place int not null,
  kind text not null,
  depends_on text[] not null,
  planned json not null,
  -- A create that was begun and has no end yet: nobody begins another one.
  has_intent boolean not null default false,
  ended text,
  -- What its open create has claimed: posts that may be generated, and what it costs.
  generating int not null default 0,
  posts int not null default 0,
  cost numeric not null default 0,
  month text,
  -- Of the create that was begun last.
  job uuid,
  primary key (run, address)
);
-- Whether a node is left is read from its end: the last node of a plan ends late.
create index open_node on campaign.node (run, place desc) where ended is null;
-- Creates that were begun and have no end yet: a few of very many nodes.
create index begun_node on campaign.node (run) where ended is null and has_intent;
create index active_job on campaign_queue.job_common (name) where state = 'active';

-- What the processes of a shared run have told about it, for those who watch it. It is removed with the run's queue.
create table campaign.told (
  run bigint not null references campaign.run,
  n bigint not null,
  event json not null,
  -- Who told it, and how many before: so nothing is told twice.
  by uuid not null,
  part int not null,
  primary key (run, n),
  unique (run, by, part)
);

-- A process that takes part in runs, and in which.
create table campaign.worker (
  id uuid primary key,
  host text not null,
  pid int not null,
  runs int[] not null,
  since timestamptz not null default clock_timestamp(),
  beat timestamptz not null default clock_timestamp()
);

-- How many nodes each process of a shared run may have under way.
create table campaign.part (
  run bigint not null references campaign.run,
  by uuid not null,
  account text not null,
  slots int not null,
  beat timestamptz not null,
  -- Where none are named, it takes nodes of all kinds.
  kinds text[],
  primary key (run, by)
);

-- What the shared runs of an account (base URL and key) have in common. Only the clock of the database counts.
create table campaign.account (
  id text primary key,
  -- When the next request may leave; those before it have their times.
  next_request timestamptz not null default '-infinity',
  -- Creates without an answer, one after the other, and when the next one is tried, alone.
  ambiguous int not null default 0,
  trial_at timestamptz not null default '-infinity',
  -- Of which kinds the service wants no requests, until when, and how it said so.
  held jsonb not null default '[]'
);

-- What each state has requested with an account, by month. Of one without an open shared run it is what was known last.
create table campaign.spent (
  account text not null,
  -- The lineage of its log.
  state text not null,
  month text not null,
  posts int not null,
  -- In millionths.
  cost numeric not null,
  primary key (account, state, month)
);
`;
