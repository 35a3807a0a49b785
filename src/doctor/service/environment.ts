import { type Check, ok } from '../check.ts';
import { isEmbedded, type Context } from '../context.ts';

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
