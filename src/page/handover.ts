import type { LiveData } from '../views/live-data.ts';
import type { ReportData } from '../views/report-data.ts';
import type { Follower } from './page-source.ts';

/** What was written may have been overtaken by a later change; data is held back no longer than this. */
const LONGEST_MS = 5_000;

/** Hands the newest data on to the page, but not while that writes: data from before would take back what is written. */
export function createHandover() {
  let newest: ReportData | undefined;
  let handedOn: ReportData | undefined;
  let follower: Follower | undefined;
  let isFit: (report: ReportData) => boolean = () => true;

  const handOn = () => {
    if (!newest || !follower || newest === handedOn || !isFit(newest)) return;
    isFit = () => true;
    handedOn = newest;
    follower.data(newest);
  };
  return {
    take({ report }: LiveData) {
      newest = report;
      handOn();
    },
    /** The page looks once more at what it has: what could not be written is tried again. */
    again() {
      newest = newest && { ...newest };
      handOn();
    },
    to(next: Follower | undefined) {
      follower = next;
      handOn();
    },
    pause() {
      isFit = () => false;
    },
    /** Goes on with data that is so. */
    resume(isSo: (report: ReportData) => boolean) {
      isFit = isSo;
      // Whoever asked for it is told first that it was written.
      setTimeout(handOn);
      setTimeout(() => {
        if (isFit === isSo) isFit = () => true;
        handOn();
      }, LONGEST_MS);
    },
  };
}
