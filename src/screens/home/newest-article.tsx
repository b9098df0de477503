/** The newest article, beside the list of news in the wide layout. */
import { useNews } from "#src/streams/news.ts";
import { ArticleScreen } from "./news-article.tsx";

/** The list beside it says when there is none. */
export function NewestArticle() {
  const newest = useNews(null, null).value?.items[0];
  return newest ? <ArticleScreen id={newest.id} /> : null;
}
