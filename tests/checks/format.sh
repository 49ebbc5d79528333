# The sources are as clang-format lays them out, in the version that scripts/format names; where
# that is not installed, nothing is compared.
exec sh "$SOURCE_DIR/scripts/format" --check
