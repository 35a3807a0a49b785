import { EXIT, type ExitCode } from '../model/exit.ts';

const MEANING: Readonly<Record<ExitCode, string>> = {
  [EXIT.ok]: 'done, or nothing to do',
  [EXIT.failed]: 'something failed; it is listed with its cause',
  [EXIT.changes]: 'only `plan --detailed-exitcode`: something would be sent',
  [EXIT.incomplete]: 'run again: posts are pending, or work was left to a later run',
  [EXIT.undecided]: 'a create has an unknown outcome and waits for `campaign resolve`',
  [EXIT.needsConsent]:
    'finished posts were left as they are without --yes, a question was not answered with yes, or a saved plan is out of date',
  [EXIT.usage]: 'wrong usage',
  [EXIT.invalidManifest]: 'the manifest is wrong; nothing was sent',
  [EXIT.unavailable]: 'the service is down',
  [EXIT.bug]: 'a bug in campaign',
  [EXIT.cannotWrite]: 'the state or an output cannot be written',
  [EXIT.locked]: 'another run holds the lock',
  [EXIT.badState]:
    'the state is damaged, gone, under another name, of another campaign, or not the copy that counts',
  [EXIT.authentication]: 'the service refuses the key',
  [EXIT.configuration]: 'the configuration is wrong',
  [EXIT.sighup]: 'stopped by SIGHUP',
  [EXIT.sigint]: 'stopped by SIGINT (Ctrl-C)',
  [EXIT.sigterm]: 'stopped by SIGTERM',
};

export function exitCodesHelp(): string {
  const lines = Object.entries(MEANING).map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`);
  return `\nExit codes:\n${lines.join('\n')}`;
}
