/** What a process hears of late: the answer to a commit is lost, and it asks again. */
import { expect, it, onTestFinished } from 'vitest';
import { uploadNode } from '../support/planned-nodes.ts';
import { startCutProxy } from '../support/cut-proxy.ts';
import { hasPostgres, runSql } from '../support/postgres.ts';
import { shareOf } from './two-processes.ts';

it.runIf(hasPostgres)(
  'a run that was handed over goes on, also where the answer to that was lost',
  async () => {
    let hasLost = () => false;
    const way = async (url: string) => {
      const proxy = await startCutProxy(new URL(url));
      proxy.loseAnswer({ after: 'update campaign.run set shared', to: 'commit' });
      hasLost = () => proxy.hasLost;
      return proxy.url;
    };
    const { both, url } = await shareOf([uploadNode('a')], { way });
    onTestFinished(async () => void (await Promise.all(both.map((run) => run.close()))));
    expect(hasLost()).toBe(true);
    const [apply] = both;
    const { claimed } = (await apply?.claim({ wanted: 4, busy: 0 })) ?? {};
    expect(claimed?.map(({ node }) => node.address)).toEqual(['upload/a']);
    const open = await runSql(url, 'select ended_how from campaign.run where id = $1', [apply?.id]);
    expect(open).toEqual([{ ended_how: null }]);
  },
);

it.runIf(hasPostgres)(
  'a node that a process has ended stays its own, also where the answer to that was lost',
  async () => {
    let proxy: Awaited<ReturnType<typeof startCutProxy>> | undefined;
    const way = async (url: string) => {
      proxy = await startCutProxy(new URL(url));
      return proxy.url;
    };
    const { both } = await shareOf([uploadNode('a')], { way });
    onTestFinished(async () => void (await Promise.all(both.map((run) => run.close()))));
    const [apply] = both;
    await apply?.claim({ wanted: 1, busy: 0 });
    proxy?.loseAnswer({ after: 'update campaign.node set ended', to: 'commit' });
    expect(await apply?.end('upload/a', 'failed')).toBe(true);
    expect(proxy?.hasLost).toBe(true);
  },
);
