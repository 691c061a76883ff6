/* The systems of the self-test and their answers. */
#include "doctor/doctor.h"

#include <string.h>

/* Hinges of all kinds, springs, dampers, rotors, a wrench and a spring between points, on a
 * moving ground. */
static const char loaded[] =
    "{ \"riccatree\": 1, \"name\": \"loaded\", \"gravity\": [0.5, 0, -9.81], \"bodies\": ["
    "{ \"name\": \"base\", \"parent\": \"ground\", \"hinge\": { \"type\": \"planar\", \"axis\": "
    "[0, 0, 1],"
    "  \"stiffness\": [300, 200, 40], \"damping\": [3, 2, 1] }, \"mass\": 3, \"com\": [0.1, 0, "
    "0.2],"
    "  \"inertia\": [0.3, 0.4, 0.5, 0.01, 0, 0], \"initial\": { \"position\": [0.2, -0.1, 0.3], "
    "\"rate\": [0.4, 0.1, 2] } },"
    "{ \"name\": \"screw\", \"parent\": \"base\", \"hinge\": { \"type\": \"helical\", \"at\": [0, "
    "0.2, 0.5], \"axis\": [0, 1, 1],"
    "  \"pitch\": 0.05, \"armature\": 0.2 }, \"mass\": 2, \"com\": [0, 0.1, 0.3], \"inertia\": "
    "[0.2, 0.2, 0.1, 0, 0, 0],"
    "  \"initial\": { \"position\": 0.7, \"rate\": 1.5 } },"
    "{ \"name\": \"cross\", \"parent\": \"screw\", \"hinge\": { \"type\": \"universal\", \"at\": "
    "[0, 0, 0.6], \"axis\": [1, 0, 0],"
    "  \"axis2\": [0, 1, 0], \"applied\": [0.5, -0.4] }, \"mass\": 1, \"com\": [0.05, 0, 0.4], "
    "\"inertia\": [0.1, 0.1, 0.02, 0, 0, 0],"
    "  \"initial\": { \"position\": [0.3, -0.5], \"rate\": [1, -2] } },"
    "{ \"name\": \"sleeve\", \"parent\": \"base\", \"hinge\": { \"type\": \"cylindrical\", \"at\": "
    "[0.3, 0, 0.1], \"axis\": [1, 0, 0.5] },"
    "  \"mass\": 1.5, \"com\": [0.2, 0.1, 0], \"inertia\": [0.05, 0.1, 0.1, 0, 0, 0],"
    "  \"initial\": { \"position\": [0.4, 0.1], \"rate\": [3, 0.2] } },"
    "{ \"name\": \"bob\", \"parent\": \"sleeve\", \"hinge\": { \"type\": \"ball\", \"at\": [0.4, "
    "0, 0], \"damping\": 0.1 },"
    "  \"mass\": 0.7, \"com\": [0, 0, -0.3], \"inertia\": [0.02, 0.02, 0.01, 0, 0, 0],"
    "  \"initial\": { \"orientation\": [0.8, 0.2, 0.4, 0.4], \"angular_velocity\": [1, 2, -1] } } "
    "],"
    "\"forces\": [ { \"type\": \"wrench\", \"body\": \"cross\", \"at\": [0, 0, 0.8], \"force\": "
    "[2, -1, 3], \"moment\": [0.1, 0.2, 0] },"
    "{ \"type\": \"spring\", \"body\": \"bob\", \"at\": [0, 0, -0.5], \"other\": \"cross\", "
    "\"other_at\": [0, 0, 0.5],"
    "  \"stiffness\": 30, \"damping\": 0.5, \"length\": 0.4 } ],"
    "\"base\": { \"velocity\": [0.3, 0, 0.1], \"acceleration\": [1, 0.5, 0], \"axis\": [0, 1, 2], "
    "\"rate\": 0.6,"
    "  \"angular_acceleration\": 0.8 } }";

static const char imported[] =
    "<robot name=\"arm\"><link name=\"base\"/>"
    "<link name=\"upper\"><inertial><origin xyz=\"0.2 0 0.1\"/><mass value=\"2\"/>"
    "<inertia ixx=\"0.02\" iyy=\"0.05\" izz=\"0.05\" ixy=\"0.001\" ixz=\"0\" "
    "iyz=\"0\"/></inertial></link>"
    "<link name=\"lower\"><inertial><origin xyz=\"0.15 0.02 0\" rpy=\"0.3 0 0\"/><mass "
    "value=\"1\"/>"
    "<inertia ixx=\"0.01\" iyy=\"0.02\" izz=\"0.02\" ixy=\"0\" ixz=\"0\" "
    "iyz=\"0\"/></inertial></link>"
    "<joint name=\"shoulder\" type=\"revolute\"><parent link=\"base\"/><child link=\"upper\"/>"
    "<origin xyz=\"0 0 0.5\" rpy=\"0.1 0.2 0.3\"/><axis xyz=\"0 1 0\"/>"
    "<limit lower=\"-2\" upper=\"2\" effort=\"9\" velocity=\"9\"/><dynamics "
    "damping=\"0.4\"/></joint>"
    "<joint name=\"elbow\" type=\"continuous\"><parent link=\"upper\"/><child link=\"lower\"/>"
    "<origin xyz=\"0.4 0 0\" rpy=\"0 0.7 0\"/><axis xyz=\"0 0 1\"/></joint></robot>";

const cli_case cli_cases[CLI_CASES] = {
    {.name = "chain on balls",
     .body = 20,
     .family =
         {.family = "chain", .bodies = 25, .hinge = RCT_HINGE_BALL, .seed = 1, .perturb = 1.0}},
    {.name = "branched system",
     .body = 40,
     .family =
         {.family = "branch", .bodies = 64, .hinge = RCT_HINGE_BALL, .seed = 2, .perturb = 1.0}},
    {.name = "tree on revolutes",
     .body = 30,
     .family = {.family = "random",
                .bodies = 40,
                .hinge = RCT_HINGE_REVOLUTE,
                .seed = 3,
                .perturb = 0.5}},
    {.name = "loaded model", .body = 4, .json = loaded},
    {.name = "closed loops",
     .body = 6,
     .family = {.family = "hub", .bodies = 11, .hinge = RCT_HINGE_REVOLUTE, .seed = 1}},
    {.name = "imported arm",
     .body = 1,
     .advice = "; libxml2 reads this file, and its version may not be the one that the library was "
               "built with",
     .urdf = imported},
};

const cli_answer cli_answers[CLI_CASES] = {
#include "doctor/answers.h"
};

rct_model *cli_case_model(const cli_case *tested)
{
    return tested->family.family != NULL ? rct_model_generate(&tested->family, &cli_error)
           : tested->json != NULL
               ? rct_model_parse(tested->json, (int64_t)strlen(tested->json), &cli_error)
               : rct_model_import_text(tested->urdf, (int64_t)strlen(tested->urdf), NULL,
                                       &cli_error);
}
