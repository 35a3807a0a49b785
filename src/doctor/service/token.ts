import { EXIT } from '../../model/exit.ts';
import type { ServiceError } from '../../service/service-error.ts';
import { type Check, ok, type Verdict, wrong } from '../check.ts';
import type { Context } from '../context.ts';
import { noAnswer } from './connection-words.ts';

const CHECK_URL =
  'Check the base URL: it must have the whole path prefix of the service, such as https://host/api.';

export const token: Check<Context> = {
  id: 'token',
  needs: ['connection', 'tls', 'api_key'],
  async look(context) {
    const { product, observed } = await context.ask();
    const answer = product?.answer;
    if (answer && !answer.ok && answer.error.phase === 'token') {
      const type = observed.find(({ request }) => request === answer.error.request)?.contentType;
      return noToken(answer.error, context, type);
    }
    return ok('the key gets one');
  },
};

function noToken(error: ServiceError, context: Context, type: string | undefined): Verdict {
  const { status, code, detail, serviceMessage } = error;
  const said = serviceMessage === undefined ? '' : `: ${serviceMessage}`;
  if (status === undefined) {
    const { host } = new URL(context.manifest.environment.baseUrl);
    return noAnswer(code, detail === undefined ? host : `${host} (${detail})`);
  }
  if (status === 404 || status === 405) {
    return wrong(
      EXIT.configuration,
      `there is no token endpoint, ${error.request} gets ${status}`,
      CHECK_URL,
    );
  }
  if (status < 300) {
    const what = type === undefined ? 'something' : type;
    return wrong(
      EXIT.configuration,
      `${error.request} is answered with ${what} that holds no token`,
      CHECK_URL,
    );
  }
  if (status < 400) {
    return wrong(
      EXIT.configuration,
      `${error.request} gets ${status}: ${detail ?? 'a redirect'}, where no key is sent`,
      'Write the address that it leads to as base URL.',
    );
  }
  if (status === 429 || status >= 500) {
    const summary = status === 429 ? 'the service asks to slow down' : 'the service fails';
    return wrong(EXIT.unavailable, `${summary}, ${error.request} gets ${status}${said}`, 'Try again later.');
  }
  const source = context.keySource.ok ? context.keySource.value : '';
  return wrong(
    EXIT.authentication,
    `the service refuses the key (${status})${said}`,
    `Check the key from ${source}, and that it belongs to ${context.manifest.environment.name}.`,
  );
}
