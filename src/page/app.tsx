import { useEffect, useState } from 'preact/hooks';
import type { ReportData } from '../views/report-data.ts';
import type { PageSource } from './page-source.ts';

interface AppProps {
  readonly data: ReportData;
  readonly source: PageSource;
}

export function App({ data, source }: AppProps) {
  return (
    <main>
      <h1>{data.campaign}</h1>
      {data.pictures.map(({ sha256 }, index) => (
        <Thumbnail key={sha256} index={index} source={source} />
      ))}
    </main>
  );
}

function Thumbnail({ index, source }: { readonly index: number; readonly source: PageSource }) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => void source.thumbnail(index).then(setUrl), [index, source]);
  return url === null ? null : <img src={url} alt="" width="160" />;
}
