import type { MediaRecord } from '../../service/wire.ts';
import type { Asked } from '../ask-service.ts';

/** The post that was found, if any. */
export function mediumOf({ media }: Asked): MediaRecord | undefined {
  const answer = media.find(({ isFound }) => isFound)?.answer;
  return answer?.ok ? answer.value : undefined;
}
