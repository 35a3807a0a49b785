/** Names for the parts of the raw document; the types come from the schema. */
export type {
  Asset as AssetEntry,
  CampaignDocument,
  Combination as CombinationEntry,
  Concept as ConceptEntry,
  Environment as EnvironmentEntry,
  Item as ItemEntry,
  KnownId,
  Limits as LimitsEntry,
  Matrix as MatrixEntry,
  Post as PostEntry,
  Product as ProductEntry,
  Service as ServiceEntry,
} from './generated/campaign-document.js';
export type { ProductFile } from './generated/product-document.js';
