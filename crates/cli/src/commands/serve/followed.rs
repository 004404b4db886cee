//! The service that a copy follows.

use crate::args::{ServeArgs, Usage};
use crate::note::note;
use lookalike_service::{Canonical, DuplicateMode, Primary};
use std::fs;

/// The service to follow, with the key for it.
pub(super) fn primary(arguments: &ServeArgs) -> anyhow::Result<Option<Primary>> {
    let Some(mut primary) = arguments.follow.clone() else { return Ok(None) };
    if let Some(path) = &arguments.follow_key {
        let key = fs::read_to_string(path);
        let key = key.map_err(|error| Usage(format!("--follow-key {}: {error}", path.display())))?;
        primary.key = Some(key.trim().to_owned());
    }
    Ok(Some(primary))
}

/// What a copy does with duplicates, and which document stands for a cluster. It does as the service that it follows: both name the same
/// canonical documents. A copy that `is_there` starts without the other service too.
pub(super) async fn options(
    arguments: &ServeArgs,
    primary: &Primary,
    is_there: bool,
) -> anyhow::Result<(DuplicateMode, Canonical)> {
    let (mode, canonical) =
        (arguments.mode.map(DuplicateMode::from), arguments.canonical.map(Canonical::from));
    let of_primary = match primary.options().await {
        Ok(of_primary) => of_primary,
        Err(error) if is_there => {
            let own = (mode.unwrap_or_default(), canonical.unwrap_or_default());
            note(&format!(
                "{error}; until the next start the copy has --mode {} and --canonical {}",
                own.0.name(),
                own.1.name()
            ));
            return Ok(own);
        }
        Err(error) => return Err(error.into()),
    };
    let differs = |option: &str, given: &str, of_primary: &str| {
        Usage(format!(
            "--{option} {given} differs from {primary}, which has {of_primary}; leave the option out"
        ))
    };
    match (mode, canonical) {
        (Some(mode), _) if mode != of_primary.0 => {
            Err(differs("mode", mode.name(), of_primary.0.name()).into())
        }
        (_, Some(canonical)) if canonical != of_primary.1 => {
            Err(differs("canonical", canonical.name(), of_primary.1.name()).into())
        }
        _ => Ok(of_primary),
    }
}
