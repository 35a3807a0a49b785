/** Indexes for what is asked all the time, so that the answer takes no longer while a run has more nodes. */
export const LARGE_RUNS = `
-- Whether a node is left is read from its end: the last node of a plan ends late.
drop index campaign.open_node;
create index open_node on campaign.node (run, place desc) where ended is null;
create index active_job on campaign_queue.job_common (name) where state = 'active';
`;
