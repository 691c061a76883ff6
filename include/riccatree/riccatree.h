/* Riccatree: dynamics of huge rigid multibody chains and trees. This header includes all public
 * headers of libriccatree; riccatree/reference.h belongs to libriccatree_reference. */
#ifndef RICCATREE_H
#define RICCATREE_H

#include <riccatree/analysis.h>
#include <riccatree/census.h>
#include <riccatree/check.h>
#include <riccatree/checkpoint.h>
#include <riccatree/closure.h>
#include <riccatree/ensemble.h>
#include <riccatree/ensemble_checkpoint.h>
#include <riccatree/ensemble_file.h>
#include <riccatree/event.h>
#include <riccatree/export.h>
#include <riccatree/force.h>
#include <riccatree/import.h>
#include <riccatree/integrator.h>
#include <riccatree/loop.h>
#include <riccatree/model.h>
#include <riccatree/model_h5.h>
#include <riccatree/operators.h>
#include <riccatree/options.h>
#include <riccatree/ranks.h>
#include <riccatree/recorder.h>
#include <riccatree/recording.h>
#include <riccatree/rod.h>
#include <riccatree/run.h>
#include <riccatree/shape.h>
#include <riccatree/sized.h>
#include <riccatree/solver.h>
#include <riccatree/status.h>
#include <riccatree/sweep.h>
#include <riccatree/version.h>
#include <riccatree/view.h>

#endif
