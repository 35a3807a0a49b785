import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeBatches } from '../inputs.mjs';
import { run, startService } from '../measure.mjs';
import { campaign, environment } from '../program.mjs';

/** 1 GB of photos in files of 10 MB. */
const SIZE = { products: 100, requests: 5, posts: 1, photoBytes: 10_000_000, limits: { concurrency: 4 } };

export const photos = [
  {
    name: 'photos-1gb',
    title:
      '1 GB of photos of 10 MB each that `validate` has looked at, 4 at once; beside it curl under xargs',
    bounds:
      'The two SHA-256 of each photo on the main thread, one before the plan and one of what is sent: the largest part of 2.3 s of the processor; curl computes none.',
    async prepare(folder) {
      const service = await startService(0);
      const { manifest } = makeBatches(folder, SIZE);
      const files = Array.from({ length: SIZE.products }, (_, n) => join(folder, 'photos', `p${n}`, '0.png'));
      const options = { cwd: folder, env: environment(service.url) };
      const apply = campaign('apply', '--yes', manifest);
      const clear = () => {
        for (const left of ['out', 'bench.default.state.jsonl', '.campaign'])
          rmSync(join(folder, left), { recursive: true, force: true });
      };
      const upload = `xargs -P 4 -n 1 sh -c 'curl -sS -o /dev/null -F "file=@$1" ${service.url}/upload-media/' sh`;
      return {
        async ours() {
          clear();
          const unseen = await run(apply, options);
          clear();
          await run(campaign('validate', manifest), options);
          return { ...(await run(apply, options)), unseen };
        },
        other: () => run(['sh', '-c', upload], { input: files.join('\n') }),
        end: () => service.stop(),
      };
    },
    measures: [
      { label: 'seconds ÷ those of curl', value: ({ ours, other }) => ours.wall / other.wall, limit: 1.15 },
      { label: 'peak memory, MB', value: ({ ours }) => ours.mb, limit: 150 },
      { label: 'seconds', value: ({ ours }) => ours.wall },
      { label: 'seconds where each photo is looked at whole first', value: ({ ours }) => ours.unseen.wall },
      { label: 'seconds of curl', value: ({ other }) => other.wall },
      { label: 'seconds of the processor', value: ({ ours }) => ours.cpu },
    ],
  },
];
