import { useRouteId } from '../../station/addresses.ts';
import { ArticleList } from './ArticleList.tsx';
import { ArticleView } from './ArticleView.tsx';

/** What does the shop have, and where? */
export function ArticlesPage() {
  const sku = useRouteId();
  return sku === undefined ? <ArticleList /> : <ArticleView key={sku} sku={sku} />;
}
