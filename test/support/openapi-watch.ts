import { checkAnswer, checkRequest, type GivenAnswer, type SentRequest } from './openapi-check.ts';

/** Checks the traffic of a test's service against the document, from its start to its close. */
export interface TrafficWatch {
  request(request: SentRequest): void;
  answer(answer: GivenAnswer): void;
  /** Throws with every problem that was found and not expected. */
  settle(): Promise<void>;
}

/** Where files lie, at any address: no part of the interface. */
const FILE = /^\/(files|uploads)\//;

/** `expected`: what is wrong on purpose. */
export function watchTraffic(expected: readonly RegExp[]): TrafficWatch {
  const found: Promise<string[]>[] = [];
  return {
    request(request) {
      if (!FILE.test(request.path)) found.push(checkRequest(request));
    },
    answer(answer) {
      if (!FILE.test(answer.path)) found.push(Promise.resolve(checkAnswer(answer)));
    },
    async settle() {
      const problems = (await Promise.all(found)).flat();
      const unexpected = new Set(
        problems.filter((problem) => !expected.some((pattern) => pattern.test(problem))),
      );
      if (unexpected.size === 0) return;
      throw new Error(`not as schemas/service.openapi.yaml has it:\n${[...unexpected].join('\n')}`);
    },
  };
}
