import { type Check, ok, refusal, unknown, warning } from '../check.ts';
import { type Context, isEmbedded } from '../context.ts';

export const environment: Check<Context> = {
  id: 'environment',
  look: ({ manifest, chosenBy }) => ok(`${manifest.environment.name} (${chosenBy})`),
};

export const baseUrl: Check<Context> = {
  id: 'base_url',
  look(context) {
    if (isEmbedded(context)) return ok('the embedded emulator');
    const { baseUrl: url } = context.manifest.environment;
    const from = context.env['CAMPAIGN_BASE_URL'] ? ' (CAMPAIGN_BASE_URL)' : '';
    const plain = url.startsWith('http:') ? ', plain http on this machine' : '';
    return ok(`${url}${from}${plain}`);
  },
};

export const apiKey: Check<Context> = {
  id: 'api_key',
  look(context) {
    if (isEmbedded(context)) return ok('any is taken');
    const { keySource, transport } = context;
    if (transport?.code === 'node-debug') return refusal(transport);
    if (keySource.ok) return ok(`from ${keySource.value}`);
    const { error } = keySource;
    return refusal(error.code === 'no-api-key' ? { ...error, summary: 'there is none' } : error);
  },
};

/** Much longer than an answer takes, and shorter than the life of any token. */
const TOLERATED_MS = 60_000;

export const clock: Check<Context> = {
  id: 'clock',
  needs: ['connection', 'token'],
  async look(context) {
    const { observed } = await context.ask();
    const dated = observed.find(({ date }) => date !== undefined);
    if (dated?.date === undefined) return unknown('the answers of the service have no Date header');
    const ahead = dated.arrivedAt - dated.date;
    if (Math.abs(ahead) < TOLERATED_MS) return ok('agrees with the service');
    const minutes = Math.round(Math.abs(ahead) / 60_000);
    return warning(
      `this machine is ${minutes} min ${ahead > 0 ? 'ahead of' : 'behind'} the service`,
      'Requests do not depend on it, but the times in state, log and reports are wrong: set the clock (NTP).',
    );
  },
};
