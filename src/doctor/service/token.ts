import { EXIT } from '../../model/exit.ts';
import { commandText } from '../../model/command-text.ts';
import { isFromElsewhere, isRedirect, isRefused, type ServiceError } from '../../service/service-error.ts';
import { type Check, ok, unknown, type CheckResult, warning, wrong } from '../check.ts';
import type { Context } from '../context.ts';
import { failed } from './connection.ts';

const CHECK_URL =
  'Check the base URL: it must have the whole path prefix of the service, such as https://host/api.';

export const token: Check<Context> = {
  id: 'token',
  needs: ['connection', 'tls', 'api_key'],
  async look(context) {
    const { product, observed } = await context.ask();
    const answer = product?.answer;
    if (answer && !answer.ok && answer.error.noToken) {
      const type = observed.find(({ request }) => request === answer.error.request)?.contentType;
      return noToken(answer.error, context, type);
    }
    return ok('the key gets one');
  },
};

function noToken(error: ServiceError, context: Context, type: string | undefined): CheckResult {
  const { status, code, detail, serviceMessage, foreign } = error;
  const said = serviceMessage === undefined ? '' : `: ${serviceMessage}`;
  if (status === undefined) {
    const { host } = new URL(context.manifest.environment.baseUrl);
    return failed(code, `no answer from ${detail === undefined ? host : `${host} (${detail})`}`);
  }
  if (status === 404 || status === 405) {
    const summary = `there is no token endpoint, ${error.request} gets ${status}`;
    return wrong(EXIT.configuration, summary, CHECK_URL);
  }
  if (status < 300) {
    const summary = `${error.request} is answered with ${type ?? 'something'} that holds no token`;
    return wrong(EXIT.configuration, summary, CHECK_URL);
  }
  if (isRedirect(status)) {
    const summary = `${error.request} gets ${status}: ${detail ?? 'a redirect'}, where no key is sent`;
    return wrong(EXIT.configuration, summary, 'Write the address that it leads to as base URL.');
  }
  if (status === 429 || status >= 500) {
    const summary = status === 429 ? 'the service asks to slow down' : 'the service fails';
    return wrong(EXIT.unavailable, `${summary}, ${error.request} gets ${status}${said}`, 'Try again later.');
  }
  if (foreign !== undefined) return foreignAnswer(error);
  const source = context.keySource.ok ? context.keySource.value : '';
  return wrong(
    EXIT.authentication,
    `the service refuses the key (${status})${said}`,
    `Check the key from ${source}, and that it belongs to ${context.manifest.environment.name}.`,
  );
}

/** A gateway, a login page or a firewall, which says nothing about the key. */
function foreignAnswer({ request, status, foreign, serviceMessage }: ServiceError): CheckResult {
  const who = [foreign, status].filter(Boolean).join(', ');
  const said = serviceMessage === undefined ? '' : `: ${serviceMessage}`;
  return wrong(
    EXIT.configuration,
    `something before the service answered ${request} (${who})${said}`,
    'Find out what stands there and what it wants: another base URL, a client certificate (service.tls), a proxy.',
  );
}

/** Whether the token is accepted: a product is read, one that the state knows or one that does not exist. */
export const access: Check<Context> = {
  id: 'access',
  needs: ['token'],
  async look(context) {
    const { product } = await context.ask();
    if (!product) return unknown('nothing was asked');
    const { address, answer } = product;
    if (answer.ok) return ok(`the token is accepted, ${address ?? 'a product'} can be read`);
    const { status, problem } = answer.error;
    if (isRedirect(status)) {
      const summary = `${problem.detail}, where no token is sent`;
      return wrong(EXIT.configuration, summary, 'Write the address that the service itself has as base URL.');
    }
    if (isFromElsewhere(answer.error)) return foreignAnswer(answer.error);
    if (status === 401 || status === 403) return denied(status, context);
    if (status === 404 && address) {
      const show = commandText('state show', context.target, address);
      return warning(
        `the token is accepted, but ${address} is not there (404)`,
        `Is this the environment that the state is for? If it was deleted there, \`${show}\` tells its id.`,
      );
    }
    if (isRefused(answer.error)) return ok(`the token is accepted; what does not exist gets ${status}`);
    if (status !== undefined && !address) {
      return warning(
        `reading a product that does not exist gets ${status}`,
        'A 404 would be expected. If reads of real objects fail as well, the service is not well.',
      );
    }
    const action = 'The service gives tokens but does not answer: try again later.';
    return wrong(EXIT.unavailable, problem.detail, action);
  },
};

function denied(status: number, { keySource, manifest }: Context): CheckResult {
  const source = keySource.ok ? keySource.value : '';
  return wrong(
    EXIT.authentication,
    `the service gives a token, but does not take it (${status})`,
    `Ask for the rights of the key from ${source}; does it belong to ${manifest.environment.name}?`,
  );
}
