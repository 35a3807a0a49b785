import { describe, expect, it } from 'vitest';
import { readStorageUrl } from '../../src/storage/storage-url.ts';

const KEYS = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret' };

function settings(url: string, env: Record<string, string> = {}) {
  const read = readStorageUrl(url, { ...KEYS, ...env });
  return read.ok && read.value.type === 's3' ? read.value.settings : read;
}

describe('the URL of a storage', () => {
  it('names a folder, or a bucket and a prefix', () => {
    expect(readStorageUrl('file:///mnt/shared%20files/', {})).toEqual({
      ok: true,
      value: { type: 'folder', folder: '/mnt/shared files' },
    });
    expect(settings('s3://photos')).toMatchObject({ bucket: 'photos', prefix: '' });
    expect(settings('S3://photos///a//b c/%20/')).toMatchObject({ bucket: 'photos', prefix: 'a/b c/%20' });
  });

  it.each([
    ['photos', 'it names neither an S3 store nor a folder'],
    ['https://host/x', 'it names neither an S3 store nor a folder'],
    [
      'file://host/x',
      'file://host/x cannot be used: a folder is named by file:// and its path from the root',
    ],
    ['file:relative', 'a folder is named by file:// and its path from the root'],
    ['file:///mnt/shared#2', 'in which %, ?, # and'],
    ['file:///mnt/100%/x', '%25, %3F, %23 and %5C'],
    ['file:///mnt/team\\photos', '%25, %3F, %23 and %5C'],
    ['s3://', 's3:// cannot be used: it names no bucket'],
    ['s3:photos', 'it names no bucket'],
    [
      's3://AKIA:secret@photos/x',
      'The URL cannot be used: credentials have no place in it, they come from the environment',
    ],
    ['s3://photos/a/../b', 'a prefix has no `.` and `..`'],
    ['s3://photos/a?X-Amz-Signature=5e1f', 'The URL cannot be used: a prefix has no `?` and `#`'],
    ['s3://photos?X-Amz-Signature=5e1f', 'The URL cannot be used: a prefix has no `?` and `#`'],
  ])('%s is refused', (url, words) => {
    const read = readStorageUrl(url, KEYS);
    expect(read).toMatchObject({ ok: false, error: { exit: 64, code: 'bad-files-url' } });
    expect(JSON.stringify(read)).toContain(words);
    expect(JSON.stringify(read)).not.toMatch(/secret|5e1f/);
  });
});

describe('what the environment says of an S3 store', () => {
  it('is what the AWS tools read', () => {
    expect(settings('s3://b.photos', { AWS_REGION: 'eu-west-1', AWS_SESSION_TOKEN: ' token\n' })).toEqual({
      bucket: 'b.photos',
      prefix: '',
      region: 'eu-west-1',
      endpoint: new URL('https://s3.eu-west-1.amazonaws.com'),
      isPathStyle: true,
      accessKeyId: 'AKIA',
      secretAccessKey: 'secret',
      sessionToken: 'token',
    });
    const own = {
      AWS_ENDPOINT_URL: 'https://a.example',
      AWS_ENDPOINT_URL_S3: 'https://b.example/storage/s3',
    };
    expect(settings('s3://photos', { ...own, AWS_DEFAULT_REGION: 'auto' })).toMatchObject({
      endpoint: new URL('https://b.example/storage/s3'),
      region: 'auto',
      isPathStyle: true,
      sessionToken: undefined,
    });
    expect(settings('s3://photos')).toMatchObject({ isPathStyle: false, region: 'us-east-1' });
    expect(settings('s3://photos', { CAMPAIGN_S3_PATH_STYLE: 'true' })).toMatchObject({ isPathStyle: true });
    const virtual = { AWS_ENDPOINT_URL: 'https://a.example', CAMPAIGN_S3_PATH_STYLE: 'false' };
    expect(settings('s3://photos', virtual)).toMatchObject({ isPathStyle: false });
    // Before the host it would be another bucket, or none.
    for (const bucket of ['Photos', 'xn--photos'])
      expect(settings(`s3://${bucket}`)).toMatchObject({ bucket, isPathStyle: true });
  });

  it.each<[Record<string, string>, string]>([
    [{ AWS_ACCESS_KEY_ID: '' }, 'AWS_ACCESS_KEY_ID is not set'],
    [{ AWS_SECRET_ACCESS_KEY: ' ' }, 'AWS_SECRET_ACCESS_KEY is not set'],
    [{ AWS_SECRET_ACCESS_KEY: 'two\nlines' }, 'has a space or a line end in it'],
    [{ AWS_REGION: 'eu/west' }, 'AWS_REGION is no region'],
    [{ AWS_ENDPOINT_URL_S3: 'minio:9000' }, 'AWS_ENDPOINT_URL_S3 is not safe'],
    [{ AWS_ENDPOINT_URL_S3: 'a b' }, 'AWS_ENDPOINT_URL_S3 is no URL'],
    [{ AWS_ENDPOINT_URL: 'http://minio.example:9000' }, 'only this machine is reached by http://'],
    [{ AWS_ENDPOINT_URL: 'https://user:canary@minio.example' }, 'has more than scheme, host, port and path'],
    [{ CAMPAIGN_S3_PATH_STYLE: 'maybe' }, 'CAMPAIGN_S3_PATH_STYLE is neither true nor false'],
    [
      { CAMPAIGN_S3_PATH_STYLE: 'false', AWS_ENDPOINT_URL: 'https://10.0.0.5:9000' },
      'CAMPAIGN_S3_PATH_STYLE is false, and photos cannot stand before 10.0.0.5. Correct it, or unset it.',
    ],
    // A name below it may be one of another machine.
    [
      { CAMPAIGN_S3_PATH_STYLE: 'false', AWS_ENDPOINT_URL: 'http://localhost:9000' },
      'photos cannot stand before localhost',
    ],
  ])('%o is refused', (env, words) => {
    const read = settings('s3://photos', env);
    expect(read).toMatchObject({ ok: false, error: { exit: 78 } });
    expect(JSON.stringify(read)).toContain(words);
    expect(JSON.stringify(read)).not.toContain('canary');
  });
});
