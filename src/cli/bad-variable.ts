import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';

export function badVariable(detail: string): Refusal {
  return refusal(EXIT.usage, { code: 'bad-variable', summary: 'A variable cannot be read', detail });
}
