import { EXIT } from '../../model/exit.ts';
import { type Check, ok, unknown, type Verdict, warning, wrong } from '../check.ts';
import type { Context } from '../context.ts';

/** Whether the token is accepted: a product is read, one that the state knows or one that does not exist. */
export const access: Check<Context> = {
  id: 'access',
  needs: ['token'],
  async look(context) {
    const { product } = await context.ask();
    if (!product) return unknown('nothing was asked');
    const { address, answer } = product;
    if (answer.ok) return ok(`the token is accepted, ${address ?? 'a product'} can be read`);
    const { status, kind, problem } = answer.error;
    if (status === 401 || status === 403) return denied(status, context);
    if (status === 404 && address) {
      return warning(
        `the token is accepted, but ${address} is not there (404)`,
        'Is this the environment that the state is for? If it was deleted there, `campaign state show` tells its id.',
      );
    }
    if (kind === 'refused') return ok(`the token is accepted; what does not exist gets ${status}`);
    if (status !== undefined && !address) {
      return warning(
        `reading a product that does not exist gets ${status}`,
        'A 404 would be expected. If reads of real objects fail as well, the service is not well.',
      );
    }
    return wrong(
      EXIT.unavailable,
      problem.detail,
      'The service gives tokens but does not answer: try again later.',
    );
  },
};

function denied(status: number, { keySource, manifest }: Context): Verdict {
  const source = keySource.ok ? keySource.value : '';
  return wrong(
    EXIT.authentication,
    `the service gives a token, but does not take it (${status})`,
    `Ask for the rights of the key from ${source}; does it belong to ${manifest.environment.name}?`,
  );
}
