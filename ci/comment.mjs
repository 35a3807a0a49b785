// Puts a plan in Markdown on the pull request (GitHub) or merge request (GitLab) of this job, in the place of the comment that
// an earlier run left: that is known by its first line and its author.
// Usage: node comment.mjs plan.md
// GitHub: GITHUB_TOKEN. GitLab: GITLAB_TOKEN, a project access token with the scope `api`.
import { readFileSync } from 'node:fs';

const { env } = process;
const LONGEST = 65_000;
const MOST_PAGES = 50;

const text = readFileSync(process.argv[2] ?? 'plan.md', 'utf8');
const marker = text.split('\n', 1)[0] ?? '';
if (!/^<!-- campaign-plan: .* -->$/.test(marker))
  fail('the file is not what `campaign plan --format markdown` prints');
const body = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n\n… The log has the rest.\n` : text;

const host = env.GITHUB_ACTIONS === 'true' ? github() : gitlab();
const author = await host.author();
const earlier = await findEarlier();
await call(earlier ? host.change : 'POST', earlier ? host.one(earlier.id) : host.all, { body });

/** The newest one, should there be several. */
async function findEarlier() {
  let found;
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const comments = await call('GET', `${host.all}?per_page=100&page=${page}`);
    found =
      comments.findLast((one) => one.body?.startsWith(marker) && host.authorOf(one) === author) ?? found;
    if (comments.length < 100) return found;
  }
  return found;
}

function github() {
  const [, number] =
    /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? '') ?? fail('this job is not about a pull request');
  const repository = `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}`;
  return {
    headers: { authorization: `Bearer ${tokenOf('GITHUB_TOKEN')}`, accept: 'application/vnd.github+json' },
    all: `${repository}/issues/${number}/comments`,
    one: (id) => `${repository}/issues/comments/${id}`,
    change: 'PATCH',
    authorOf: ({ user }) => user?.login,
    // The token of a job is nobody's: GitHub refuses to say whose it is.
    author: async () => {
      const answer = await send('GET', `${env.GITHUB_API_URL}/user`);
      return answer.ok ? (await answer.json()).login : 'github-actions[bot]';
    },
  };
}

function gitlab() {
  const number = env.CI_MERGE_REQUEST_IID ?? fail('this job is not about a merge request');
  const all = `${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}/merge_requests/${number}/notes`;
  return {
    headers: { 'private-token': tokenOf('GITLAB_TOKEN') },
    all,
    one: (id) => `${all}/${id}`,
    change: 'PUT',
    authorOf: (note) => note.author?.id,
    author: async () => (await call('GET', `${env.CI_API_V4_URL}/user`)).id,
  };
}

function tokenOf(name) {
  return env[name] || fail(`${name} is not set`);
}

async function call(method, url, json) {
  const answer = await send(method, url, json);
  if (answer.ok) return answer.json();
  return fail(`${method} ${url} was answered with ${answer.status}. May the token write comments?`);
}

function send(method, url, json) {
  const headers = { 'user-agent': 'campaign', 'content-type': 'application/json', ...host.headers };
  const content = json === undefined ? {} : { body: JSON.stringify(json) };
  return fetch(url, { method, headers, ...content, signal: AbortSignal.timeout(30_000) }).catch((error) =>
    fail(`${method} ${url}: ${error.cause?.code ?? error.message}`),
  );
}

/** @returns {never} */
function fail(why) {
  process.stderr.write(`The plan is not on the pull request: ${why}.\n`);
  process.exit(1);
}
