/** Holds traffic against schemas/service.openapi.yaml. */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { parseJson } from '../../src/util/json.ts';
import { readBody } from './openapi-body.ts';
import { at, operations, validatorAt, type Operation } from './openapi-document.ts';

export interface SentRequest {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  /** Names in lower case. */
  readonly requestHeaders: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly requestBody: Buffer;
}

export interface GivenAnswer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly responseBody: string;
}

/** Everything in which a request and its answer differ from the document: `POST /products/ request /name must be string`. */
export async function checkExchange(exchange: SentRequest & GivenAnswer): Promise<string[]> {
  const problems = [...(await checkRequest(exchange)), ...checkAnswer(exchange)];
  return [...new Set(problems)];
}

/** Everything in which a request differs from the document. */
export async function checkRequest(request: SentRequest): Promise<string[]> {
  const operation = operationOf(request);
  const say = (problem: string) => `${request.method} ${request.path} request ${problem}`;
  if (operation === undefined) return [unknown(request)];
  const problems = [
    ...pathProblems(operation, request.path),
    ...tokenProblems(operation, request),
    ...(await bodyProblems(operation, request)),
  ];
  return problems.map(say);
}

/** Everything in which an answer differs from the document. */
export function checkAnswer(answer: GivenAnswer): string[] {
  const { method, path, status, responseBody } = answer;
  const operation = operationOf(answer);
  const say = (problem: string) => `${method} ${path} ${status} ${problem}`;
  if (operation === undefined) return [unknown(answer)];
  const known = [String(status), `${Math.floor(status / 100)}XX`].find(
    (code) => code in at(`${operation.pointer}/responses`),
  );
  if (known === undefined) return [say('is not an answer of this endpoint')];
  const json = parseJson(responseBody);
  if (!json.ok) return [say('is not JSON')];
  const schema = `${operation.pointer}/responses/${known}/content/application~1json/schema`;
  return errorsOf(validatorAt(schema), json.value).map(say);
}

function operationOf({ method, path }: { method: string; path: string }): Operation | undefined {
  return operations.find((operation) => operation.method === method && operation.pattern.test(path));
}

function unknown({ method, path }: { method: string; path: string }): string {
  return `${method} ${path} is not in the document`;
}

function pathProblems({ pattern, parameters }: Operation, path: string): string[] {
  const values = pattern.exec(path)?.slice(1) ?? [];
  const isUuid = validatorAt('/components/schemas/Uuid');
  return parameters.flatMap((name, index) =>
    errorsOf(isUuid, values[index]).map((error) => `{${name}}${error}`),
  );
}

function tokenProblems({ needsToken }: Operation, { requestHeaders }: SentRequest): string[] {
  const value = requestHeaders['authorization'];
  if (!needsToken) return value === undefined ? [] : ['carries a token'];
  return typeof value === 'string' && /^Bearer \S+$/.test(value) ? [] : ['carries no bearer token'];
}

async function bodyProblems({ pointer }: Operation, request: SentRequest): Promise<string[]> {
  const expected = at(`${pointer}/requestBody`);
  const { requestBody: bytes, requestHeaders: headers } = request;
  if (expected['content'] === undefined) return bytes.length === 0 ? [] : ['has a body'];
  const read = await readBody(bytes, String(headers['content-type'] ?? ''));
  if (!read.ok) return [read.error];
  const { mediaType, value } = read.value;
  if (!(mediaType in at(`${pointer}/requestBody/content`))) return [`may not be ${mediaType}`];
  const schema = `${pointer}/requestBody/content/${mediaType.replace('/', '~1')}/schema`;
  return errorsOf(validatorAt(schema, mediaType === 'application/json' ? 'json' : 'text'), value);
}

function errorsOf(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const extra: unknown = params['additionalProperty'] ?? params['allowedValues'];
    return `${instancePath} ${message ?? ''}${extra === undefined ? '' : `: ${JSON.stringify(extra)}`}`;
  });
}
