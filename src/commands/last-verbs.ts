import { flag, place, port } from '../cli/flags.ts';
import type { Verb } from './verb.ts';

/** Listed after `campaign state …` in help. */
export const LAST_VERBS: readonly Verb[] = [
  {
    usage: 'graph [manifest]',
    does: 'draw what builds on what, as SVG, DOT or Mermaid',
    flags: [
      flag('--format <format>', 'default: as --out ends, else mermaid').choices([
        'mermaid',
        'dot',
        'svg',
        'json',
      ]),
      flag('--status', 'say and colour what has become of each node, as the state knows it'),
      flag('--all', 'draw every node; without it, more than 60 boxes are drawn together'),
      flag('--out <file>', 'write the picture to a file', place),
    ],
    examples: ['campaign graph campaign.yaml', 'campaign graph --status --out graph.svg'],
    load: async () => (await import('./graph.ts')).graph,
  },
  {
    usage: 'schema',
    does: 'print the JSON Schema of the manifest',
    readsManifest: 'no',
    examples: ['campaign schema > campaign.schema.json'],
    load: async () => (await import('./schema.ts')).schema,
  },
  {
    usage: 'emulator',
    does: 'serve the embedded service on 127.0.0.1',
    readsManifest: 'no',
    flags: [
      flag('--port <n>', 'where to listen; 0 takes a free port', port).default(0),
      flag('--data <folder>', 'keep its records and files there (default: a temporary folder)'),
      flag('--profile <name|file>', 'how it behaves: a profile that comes with campaign, or a file'),
      flag('--seed <text>', 'makes random choices the same in every run'),
      flag('--control', 'let tests change it over HTTP at /_control/'),
      flag('--json', 'print its address as JSON'),
    ],
    examples: [
      'campaign emulator --port 4010 --data .campaign/emulator',
      'campaign emulator --profile flaky --seed monday --control',
    ],
    load: async () => (await import('./emulator.ts')).emulator,
  },
  {
    usage: 'completion <shell>',
    does: 'print what makes a shell complete commands, flags, addresses and files',
    choices: ['bash', 'zsh', 'fish'],
    readsManifest: 'no',
    examples: ['campaign completion bash > ~/.local/share/bash-completion/completions/campaign'],
    load: async () => (await import('./completion.ts')).completion,
  },
];
