/** One small story for each subject, so that a change of a command changes few transcripts. */
import { PNG, SINGLE, SMALL, STATE } from '../small-campaign.ts';
import type { Step, Story } from './story.ts';

const APPLY = 'campaign apply m.yaml --concurrency 1';
/** What went before, where a story is about something else. */
const APPLIED = `${APPLY} --quiet`;
const PLAN = 'campaign plan m.yaml';
const PLANS: readonly Step[] = [PLAN, `${PLAN} --json`, `${PLAN} --format markdown`];
const AWAY = 'CAMPAIGN_BASE_URL=http://127.0.0.1:1/api';
const ID = '00000000-0000-4000-8000-000000000001';

const BUDGET = `budget:
  currency: EUR
  prices: { image: 0.10, carousel: 0.30 }
  per_run: { posts: 1 }
`;
const WEEKLY = SMALL.replace(
  '    concept: morning\n',
  '    concept: morning\n    every: week\n    timezone: Europe/Berlin\n',
);
const TABLE = SMALL.replace(
  'products:\n  tote: { images: [tote.png] }',
  'product_tables: [shop.csv]',
).replace(
  /posts:[^]*/,
  `posts:
  grid:
    matrix: { product: "*" }
    concept: morning
    items: [{ key: front, post_type: image, products: ["\${{ matrix.product }}"], aspect_ratio: "1:1" }]
`,
);
const ROWS = ['key,title,images', 'tote,Tote,tote.png', 'mug,Mug,tote.png', ''];

/** Before the first request. */
const BEGINNING: readonly Story[] = [
  {
    name: 'init',
    manifest: SINGLE,
    steps: [
      'campaign init . --out first.yaml --name first --ratio 1:1',
      'campaign init . --out first.yaml',
      'campaign init . --out second.yaml --name second --json',
      'campaign init . --out first.yaml --add',
    ],
  },
  { name: 'printed', manifest: SINGLE, steps: ['campaign schema', 'campaign completion zsh'] },
  {
    name: 'validate',
    manifest: SINGLE,
    steps: [
      'campaign validate m.yaml',
      'campaign validate m.yaml --lint',
      'campaign validate m.yaml --lint --json',
    ],
  },
  {
    name: 'manifest-mistake',
    manifest: SINGLE.replace('aspect_ratio: "4:5"', 'aspect_ration: "4:5"'),
    steps: [
      'campaign validate m.yaml',
      'campaign validate m.yaml --json',
      APPLY,
      `${APPLY} --json`,
      'campaign status m.yaml',
      'campaign plan missing.yaml',
    ],
  },
  {
    name: 'usage',
    manifest: SINGLE,
    steps: [
      'campaign aply',
      'campaign plan m.yaml --replce media/*',
      'campaign plan m.yaml --at tomorrow',
      'campaign plan m.yaml --only media/nothing/*',
      'campaign plan m.yaml --env nowhere',
      'CAMPAIGN_API_KEY= campaign apply m.yaml',
      'campaign completion tcsh',
      'campaign worker',
      'campaign db migrate',
      'campaign stop m.yaml',
    ],
  },
  {
    name: 'doctor',
    manifest: SINGLE,
    steps: ['campaign doctor m.yaml', 'campaign doctor m.yaml --json', APPLIED, 'campaign doctor m.yaml'],
  },
];

const RUNNING: readonly Story[] = [
  {
    name: 'plan-and-apply',
    manifest: SMALL,
    steps: [
      ...PLANS,
      `${PLAN} --detailed-exitcode --quiet`,
      `${PLAN} --explain media/hero/kitchen`,
      APPLY,
      ...PLANS,
      `${PLAN} --detailed-exitcode`,
      APPLY,
    ],
  },
  { name: 'apply-json', manifest: SINGLE, steps: [`${APPLY} --json`, `${APPLY} --json`] },
  {
    name: 'saved-plan',
    manifest: SINGLE,
    steps: [
      `${PLAN} --out p.json`,
      `${APPLY} --plan p.json`,
      `${APPLY} --plan p.json`,
      `${PLAN} --out p.json --json`,
    ],
  },
  {
    name: 'selection',
    manifest: SMALL,
    steps: [`${PLAN} --only media/hero/tour`, `${APPLY} --exclude media/hero/tour`, PLAN],
  },
  {
    name: 'wait',
    manifest: SINGLE,
    steps: [
      `${APPLY} --no-wait`,
      'campaign status m.yaml',
      PLAN,
      'campaign wait m.yaml --concurrency 1',
      'campaign wait m.yaml',
      'campaign wait m.yaml --json',
    ],
  },
  {
    name: 'edit-replaces',
    manifest: SMALL,
    steps: [
      APPLIED,
      { change: 'slow turn', to: 'fast turn' },
      ...PLANS,
      'campaign status m.yaml',
      APPLY,
      `${APPLY} --yes`,
      PLAN,
    ],
  },
  {
    name: 'edit-updates',
    manifest: SINGLE,
    steps: [APPLIED, { change: 'Soft light', to: 'Hard light' }, ...PLANS, `${APPLY} --yes`, PLAN],
  },
  {
    name: 'rename',
    manifest: SMALL,
    steps: [
      APPLIED,
      { change: 'tote:', to: 'bag:' },
      { change: '[tote]', to: '[bag]' },
      ...PLANS,
      APPLY,
      PLAN,
    ],
  },
  {
    name: 'removed-post',
    manifest: SMALL,
    steps: [
      APPLIED,
      { change: SMALL.match(/ *- \{ key: tour.*\n/)?.[0] ?? '', to: '' },
      ...PLANS,
      APPLY,
      PLAN,
      'campaign status m.yaml',
    ],
  },
  {
    name: 'prune',
    manifest: SINGLE,
    steps: [
      APPLIED,
      { change: 'morning', to: 'evening' },
      { change: 'Soft light', to: 'Long shadows' },
      `${PLAN} --prune`,
      `${APPLY} --prune`,
      `${APPLY} --prune --yes`,
      PLAN,
    ],
  },
  {
    name: 'failed-request',
    manifest: SINGLE,
    steps: [
      { refuses: { 'POST /media-config/': 400 } },
      APPLY,
      'campaign status m.yaml',
      `${PLAN} --retry-failed`,
      { refuses: {} },
      APPLY,
    ],
  },
  {
    name: 'unknown-create',
    manifest: SINGLE,
    steps: [
      { refuses: { 'POST /products/': 500 } },
      APPLY,
      'campaign status m.yaml',
      ...PLANS,
      'campaign resolve m.yaml',
      'campaign resolve m.yaml product/tote --find',
      { refuses: {} },
      APPLY,
      'campaign resolve m.yaml product/tote --not-created',
      APPLY,
    ],
  },
  {
    name: 'unknown-request',
    manifest: SINGLE,
    steps: [
      { refuses: { 'POST /media-config/': 500 } },
      `${APPLY} --json`,
      'campaign resolve m.yaml --all --skip',
      'campaign resolve m.yaml --all --skip --yes',
      PLAN,
      'campaign status m.yaml --json',
    ],
  },
  {
    name: 'service-down',
    manifest: SINGLE,
    // A single node: what is said of several depends on which is tried first.
    steps: [
      `${AWAY} ${APPLIED} --only concept/*`,
      `${AWAY} campaign status m.yaml`,
      `${AWAY} campaign doctor m.yaml`,
    ],
  },
  {
    name: 'key-refused',
    manifest: SINGLE,
    steps: [{ refuses: { 'POST /get_auth_token': 401 } }, APPLY, 'campaign doctor m.yaml --quiet'],
  },
  {
    name: 'budget',
    manifest: SMALL + BUDGET,
    steps: [...PLANS, APPLY, `${APPLY} --within-budget`, 'campaign status m.yaml', PLAN],
  },
  {
    name: 'periods',
    manifest: WEEKLY,
    steps: [
      `${PLAN} --at 2026-11-22`,
      `${PLAN} --at 2026-11-22 --format markdown`,
      `${APPLIED} --at 2026-11-22`,
      `${PLAN} --at 2026-11-23`,
      `${APPLY} --at 2026-11-23 --no-wait`,
      'campaign status m.yaml --at 2026-11-25',
      'campaign status m.yaml --at 2026-11-30',
    ],
  },
  {
    name: 'several-manifests',
    manifest: SINGLE,
    steps: [
      { write: 'all/a.campaign.yaml', text: SINGLE.replace('name: small', 'name: a') },
      { write: 'all/b.campaign.yaml', text: 'version: 1\nname: b\nposts: 7\n' },
      { write: 'all/tote.png', text: PNG },
      'campaign validate all',
      'campaign plan all m.yaml',
      'campaign plan all m.yaml --json',
      'campaign apply all m.yaml --concurrency 1',
      'campaign status all m.yaml',
      'campaign apply all m.yaml --concurrency 1 --json',
    ],
  },
  {
    name: 'product-table',
    manifest: TABLE,
    steps: [
      { write: 'shop.csv', text: ROWS.join('\n') },
      PLAN,
      APPLIED,
      { write: 'shop.csv', text: ROWS.join('\n').replace('Mug', 'Cup') },
      PLAN,
      { write: 'shop.csv', text: ROWS.join('\n').replace('mug,Mug', 'cup,Cup') },
      ...PLANS,
      { write: 'shop.csv', text: ROWS.join('\n').replace('mug,Mug,tote.png', 'mug,Mug') },
      PLAN,
    ],
  },
];

/** What looks at results, decides about them or goes on from them. */
const RESULTS: readonly Story[] = [
  {
    name: 'status',
    manifest: SMALL,
    steps: [
      'campaign status m.yaml',
      APPLIED,
      'campaign status m.yaml',
      'campaign status m.yaml --all',
      'campaign status m.yaml --json',
      'campaign status m.yaml --fail-on undecided',
    ],
  },
  {
    name: 'history',
    manifest: SINGLE,
    steps: [APPLIED, APPLIED, 'campaign history m.yaml', 'campaign history m.yaml --json'],
  },
  {
    name: 'outputs',
    manifest: SMALL,
    steps: [
      APPLIED,
      'campaign outputs m.yaml',
      'campaign outputs m.yaml --json',
      'campaign outputs m.yaml --format csv',
      'campaign outputs m.yaml --verify',
      { remove: 'out/small/default/hero/kitchen-image.png' },
      'campaign outputs m.yaml --verify',
      'campaign status m.yaml',
      'campaign outputs m.yaml --fetch',
    ],
  },
  {
    name: 'pages',
    manifest: SINGLE,
    steps: [
      APPLIED,
      'campaign report m.yaml',
      'campaign graph m.yaml --status',
      'campaign graph m.yaml --format dot',
      'campaign graph m.yaml --format json',
    ],
  },
  {
    name: 'decisions',
    manifest: SMALL,
    steps: [
      APPLIED,
      'campaign approve m.yaml media/hero/tour --note final',
      'campaign reject m.yaml media/hero/kitchen',
      "campaign reject m.yaml media/hero/kitchen --note 'the handle is cut off'",
      'campaign decide m.yaml',
      'campaign status m.yaml',
      ...PLANS,
      APPLY,
      `${APPLY} --yes`,
      `${PLAN} --explain media/hero/kitchen`,
      { change: 'slow turn', to: 'fast turn' },
      PLAN,
    ],
  },
  {
    name: 'refresh',
    manifest: SINGLE,
    steps: [
      APPLIED,
      'campaign refresh m.yaml',
      { refuses: { 'GET /products/{id}/': 404 } },
      'campaign refresh m.yaml --detailed-exitcode',
      PLAN,
    ],
  },
  {
    name: 'import',
    manifest: SINGLE,
    steps: [
      `campaign import m.yaml product/tote ${ID}`,
      `campaign import m.yaml concept/morning ${ID}`,
      `campaign import m.yaml concept/morning ${ID} --unverified`,
      PLAN,
      `campaign import m.yaml concept/morning ${ID} --unverified`,
    ],
  },
  {
    name: 'destroy',
    manifest: SINGLE,
    steps: [APPLIED, 'campaign destroy m.yaml', 'campaign destroy m.yaml --yes', PLAN],
  },
];

const STATES: readonly Story[] = [
  {
    name: 'state-read',
    manifest: SINGLE,
    steps: [
      APPLIED,
      'campaign state list m.yaml',
      'campaign state list m.yaml --json',
      'campaign state show m.yaml product/tote',
      'campaign state show m.yaml media/hero/kitchen',
      'campaign state show m.yaml media/hero/kitchn',
      'campaign state export m.yaml',
    ],
  },
  {
    name: 'state-files',
    manifest: SINGLE,
    steps: ['campaign state files m.yaml', 'campaign state files m.yaml --format json'],
  },
  { name: 'state-check', manifest: SINGLE, steps: [APPLIED, 'campaign state check m.yaml'] },
  {
    name: 'state-damaged',
    manifest: SINGLE,
    steps: [{ write: STATE, text: 'not a state\n' }, 'campaign state check m.yaml', PLAN, APPLY],
  },
  {
    name: 'state-accept',
    manifest: SINGLE,
    steps: [
      APPLIED,
      { change: 'aspect_ratio: "4:5"', to: 'aspect_ratio: "1:1"' },
      'campaign state accept m.yaml',
      'campaign state accept m.yaml',
      PLAN,
    ],
  },
  {
    name: 'state-move',
    manifest: SINGLE,
    steps: [APPLIED, 'campaign state move m.yaml --to elsewhere.jsonl'],
  },
  {
    name: 'state-in-database',
    manifest: SINGLE,
    steps: [
      APPLIED,
      'campaign state move m.yaml --to $DATABASE',
      'campaign db migrate --state $DATABASE',
      'campaign db migrate --state $DATABASE --json',
      'campaign state move m.yaml --to $DATABASE',
      PLAN,
      `${PLAN} --state $DATABASE`,
      'campaign state list m.yaml --state $DATABASE',
      'campaign state files m.yaml --state $DATABASE',
      'campaign stop m.yaml --state $DATABASE',
      'campaign state move m.yaml --state $DATABASE --to small.default.state.jsonl',
      PLAN,
    ],
  },
  {
    name: 'state-elsewhere',
    manifest: SINGLE,
    steps: [APPLIED, `${PLAN} --state elsewhere.jsonl`, { change: 'name: small', to: 'name: other' }, PLAN],
  },
  {
    name: 'state-rm',
    manifest: SINGLE,
    steps: [
      APPLIED,
      'campaign state rm m.yaml media*/*',
      'campaign state rm m.yaml media*/* --yes',
      'campaign state rm m.yaml product/tot --yes',
      PLAN,
    ],
  },
  {
    name: 'state-new',
    manifest: SINGLE,
    steps: [
      APPLIED,
      { remove: STATE },
      PLAN,
      'campaign status m.yaml',
      'campaign state new m.yaml',
      'campaign state new m.yaml --yes',
      PLAN,
    ],
  },
  { name: 'state-use', manifest: SINGLE, steps: [APPLIED, `campaign state use m.yaml ${STATE} --yes`] },
];

export const STORIES: readonly Story[] = [...BEGINNING, ...RUNNING, ...RESULTS, ...STATES];
