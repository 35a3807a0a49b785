import { expect, it } from 'vitest';
import { coverSecrets } from '../../src/document/cover-secrets.ts';

it.each([
  ['    api_key: s3cr3t', '    api_key: ******'],
  ['p: { apiKeyEnv: sk-live-12 }', 'p: { apiKeyEnv: ************'],
  ['  visuals_api_key: "s3cr3t"', '  visuals_api_key: ********'],
  ['token_env: s3cr3t', 'token_env: ******'],
  ['  token_life: 2s', '  token_life: 2s'],
  ['base_url: https://me:pass@a.example.com', 'base_url: https://*******@a.example.com'],
  [
    'base_url: "https://a.example.com/api?key=s3cr3t&x=1"',
    'base_url: "https://a.example.com/api?key=******&x=1"',
  ],
  [
    '- https://a.example.com/1.jpg?X-Amz-Signature=s3cr3t#top',
    '- https://a.example.com/1.jpg?X-Amz-Signature=******#top',
  ],
])('covers what may be a secret, and nothing else: %s', (line, covered) => {
  expect(coverSecrets(line)).toBe(covered);
});
