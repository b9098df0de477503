/** The search button of a header. */
import { Search } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "#src/ui/link.tsx";
import { IconButton } from "#src/ui/button.tsx";

/** Opens the search screen. */
export function SearchLink() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return <IconButton label={t("ui.search")} icon={<Search size={22} aria-hidden />} onClick={() => void navigate("/favorite/search")} />;
}
